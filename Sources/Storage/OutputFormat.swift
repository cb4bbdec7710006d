/// How records are laid out in an output file; named by the file's extension.
public enum OutputFormat: String, Sendable, Hashable, CaseIterable {
  /// One JSON array.
  case json
  /// One JSON value per line.
  case jsonl
  /// Comma-separated values with a header line (RFC 4180).
  case csv

  /// The format of an extension in any case; nil for others. `ndjson` is another name of `jsonl`.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "csv": self = .csv
    default: return nil
    }
  }

  /// What may follow the last dot, for messages.
  public static let extensionList = ".json, .jsonl (or .ndjson), .csv"
}
