/// A file format for records, chosen by the extension of the output path.
public enum RecordFormat: String, Sendable, Hashable, CaseIterable {
  /// One array of objects, one record per line (`.json`).
  case json
  /// One object per line (`.jsonl`, also `.ndjson`).
  case jsonLines = "jsonl"
  /// RFC 4180 with a header line (`.csv`). Null is an empty field, an empty text is `""`.
  case csv

  /// The format of a file extension, in upper or lower case; nil for an unknown extension.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "csv": self = .csv
    default: return nil
    }
  }

  /// The list of file extensions, for messages.
  public static let extensionList = ".json, .jsonl (or .ndjson), .csv"
}
