/// A file format for records, named by the output path's extension.
public enum RecordFormat: String, Sendable, Hashable, CaseIterable {
  /// One array of objects, one record a line (`.json`).
  case json
  /// One object a line (`.jsonl`, also `.ndjson`).
  case jsonLines = "jsonl"
  /// RFC 4180 with a header line; null is empty, an empty text is `""` (`.csv`).
  case csv

  /// The format of an extension in any case; nil for others.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "csv": self = .csv
    default: return nil
    }
  }

  /// What may follow the last dot, for messages.
  public static let extensionList = ".json, .jsonl (or .ndjson), .csv"
}
