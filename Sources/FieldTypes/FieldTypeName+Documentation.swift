extension FieldTypeName {
  /// A row of the table in `docs/reference/types.md`.
  public struct Documentation: Sendable {
    /// The JSON values that are read as the type.
    public let takes: String
    /// What is persisted of them.
    public let keeps: String
    /// Examples of what rejects the record.
    public let refuses: String

    init(_ takes: String, keeps: String, refuses: String) {
      self.takes = takes
      self.keeps = keeps
      self.refuses = refuses
    }
  }

  /// The type explained, as Markdown.
  public var documentation: Documentation {
    switch self {
    case .string:
      Documentation(
        "JSON strings",
        keeps: "the text", refuses: "`42`, `true`, a half surrogate pair")
    case .integer:
      Documentation(
        #"numbers of integral value within 64 bits (`42`, `42.0`, `4.2e1`); strings of digits (`"42"`)"#,
        keeps: "the integer, exact", refuses: #"`42.5`, `"42.5"`, `"007"`, `"+7"`, `true`, 2⁶³"#)
    case .number:
      Documentation(
        "numbers in the range of a double; strings in JSON's number grammar",
        keeps: "the digits as written", refuses: #"`1e400`, `"+Inf"`, `"NaN"`, `false`"#)
    case .decimal:
      Documentation(
        "numbers and such strings of any size",
        keeps: "the digits as written, as a string", refuses: #"`"12,5"`"#)
    case .boolean:
      Documentation(
        "`true`, `false`, and these words as strings",
        keeps: "the boolean", refuses: #"`1`, `"yes"`, `"True"`"#)
    case .timestamp:
      Documentation(
        "ISO 8601 with a zone; with `format:` epoch seconds or milliseconds, or a strptime pattern (UTC unless it reads a zone)",
        keeps: "RFC 3339 in UTC, to the nanosecond", refuses: "a time without a zone, 30 February")
    case .date:
      Documentation(
        "`YYYY-MM-DD` of the calendar",
        keeps: "the text", refuses: "`2024-5-1`")
    case .duration:
      Documentation(
        "ISO 8601 durations; `90s`, `5m`, `1h`, `7d`, `250ms`",
        keeps: "the text", refuses: "`P`, `1 hour`")
    case .uuid:
      Documentation(
        "RFC 9562 text",
        keeps: "lower case", refuses: "32 digits without hyphens")
    case .url:
      Documentation(
        "absolute URLs",
        keeps: "the text", refuses: "`/relative`, spaces")
    case .bytes:
      Documentation(
        "base64 with padding (RFC 4648)",
        keeps: "the text", refuses: "missing padding, stray bits")
    case .enumeration:
      Documentation(
        "one of `values`",
        keeps: "the text", refuses: "other case")
    case .list:
      Documentation(
        "arrays whose elements fit `of`",
        keeps: "a list", refuses: "`null` as an element")
    case .object:
      Documentation(
        "objects whose fields fit",
        keeps: "an object of the declared fields", refuses: "")
    case .json:
      Documentation(
        "anything, `null` included",
        keeps: "compact JSON, numbers as written", refuses: "a half surrogate pair")
    }
  }

  /// The types in one sentence, with the keys that they need.
  public static var sentence: String { allCases.map(\.phrase).joined(separator: "; ") }

  private var phrase: String {
    let word = "`\(rawValue)`"
    return switch self {
    case .integer: word + " (64 bits, exact)"
    case .number: word + " (double)"
    case .decimal: word + " (exact, kept as text)"
    case .bytes: word + " (base64)"
    case .enumeration: word + " with `values`"
    case .list: word + " with `of`"
    case .object: word + " with `fields` or `schema`"
    case .json: word + " (anything)"
    default: word
    }
  }

  /// The table of all types as Markdown, without a line break at its end.
  public static var table: String {
    let head = "| Type | Takes | Keeps | Refuses, for example |\n|---|---|---|---|"
    return allCases.reduce(head) { table, type in
      let row = type.documentation
      return table + "\n| `\(type.rawValue)` | \(row.takes) | \(row.keeps) | "
        + (row.refuses.isEmpty ? "|" : "\(row.refuses) |")
    }
  }
}
