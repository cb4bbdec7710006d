/// A file format for records, named by the output path's extension.
public enum RecordFormat: String, Sendable, Hashable, CaseIterable {
  /// One array of objects, one record a line (`.json`).
  case json
  /// One object a line (`.jsonl`).
  case jsonLines = "jsonl"
  /// RFC 4180 with a header line; null is empty, an empty text is `""` (`.csv`).
  case csv
}
