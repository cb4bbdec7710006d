extension FieldTypeName {
  /// The texts that describe a type in messages and in `docs/reference/types.md`.
  public struct Documentation: Sendable {
    /// The description of a value in messages, with its article: `a string`.
    public let expected: String
    /// An example of a persisted value.
    public let example: String
    /// The JSON values that can be read as this type.
    public let takes: String
    /// How a value of this type is persisted.
    public let persists: String
    /// Examples of JSON values that cannot be read as this type and cause the record's rejection.
    public let rejects: String

    init(_ expected: String, _ example: String, _ takes: String, _ persists: String, _ rejects: String) {
      self.expected = expected
      self.example = example
      self.takes = takes
      self.persists = persists
      self.rejects = rejects
    }
  }

  /// The documentation of this type, as Markdown.
  public var documentation: Documentation {
    switch self {
    case .string: .init("a string", "text", "JSON strings", "the text", "`42`, `true`, an unpaired surrogate")
    case .integer:
      .init(
        "an integer", "42",
        #"numbers of integral value within 64 bits (`42`, `42.0`, `4.2e1`); strings of digits (`"42"`)"#,
        "the integer, exact", #"`42.5`, `"42.5"`, `"007"`, `"+7"`, `true`, 2⁶³"#)
    case .number:
      .init(
        "a number", "1.5", "numbers in the range of a double; strings in JSON's number grammar",
        "the digits as written", #"`1e400`, `"+Inf"`, `"NaN"`, `false`"#)
    case .decimal:
      .init(
        "a decimal number", "12.50", "numbers of any size, also as strings", "the digits as written, as a string",
        #"`"12,5"`"#)
    case .boolean:
      .init(
        "a boolean", "true", "`true`, `false`, and these words as strings", "the boolean", #"`1`, `"yes"`, `"True"`"#)
    case .timestamp:
      .init(
        "a timestamp", "2024-01-31T12:00:00Z",
        "ISO 8601 with a zone; with `format:` also without a zone (`iso8601_utc`), seconds, milliseconds or microseconds since 1970, or strptime patterns (UTC unless they read a zone), several of them in order",
        "RFC 3339 in UTC, to the nanosecond", "a time without a zone, 30 February")
    case .date: .init("a date (YYYY-MM-DD)", "2024-01-31", "`YYYY-MM-DD` of the calendar", "the text", "`2024-5-1`")
    case .duration:
      .init("a duration", "90s", "ISO 8601 durations; `90s`, `5m`, `1h`, `7d`, `250ms`", "the text", "`P`, `1 hour`")
    case .uuid:
      .init(
        "a UUID", "123e4567-e89b-12d3-a456-426614174000", "RFC 9562 text", "lower case", "32 digits without hyphens")
    case .url: .init("an absolute URL", "https://example.com/", "absolute URLs", "the text", "`/relative`, spaces")
    case .bytes: .init("base64", "aGk=", "base64 with padding (RFC 4648)", "the text", "missing padding, stray bits")
    case .enumeration: .init("one of the declared values", "text", "one of `values`", "the text", "other case")
    case .list: .init("a list", "[]", "arrays whose elements fit `of`", "a list", "`null` as an element")
    case .object: .init("an object", "{}", "objects whose fields fit", "an object of the declared fields", "")
    case .json:
      .init(
        "a value", "{}", "anything, `null` included", "compact JSON, numbers as written", "an unpaired surrogate")
    }
  }

  /// The description of a value of this type in messages, with its article.
  public var expected: String { documentation.expected }

  /// One sentence that lists all types, with the keys that some of them require.
  public static var sentence: String {
    let notes: [FieldTypeName: String] = [
      .integer: "(64 bits, exact)", .number: "(double)", .decimal: "(exact, kept as text)", .bytes: "(base64)",
      .enumeration: "with `values`", .list: "with `of`", .object: "with `fields` or `schema`", .json: "(anything)",
    ]
    return allCases.map { type in "`\(type.rawValue)`" + (notes[type].map { " \($0)" } ?? "") }.joined(separator: "; ")
  }

  /// A Markdown table of all types, without a line break at its end.
  public static var table: String {
    let head = "| Type | Takes | Keeps | Refuses, for example |\n|---|---|---|---|"
    return allCases.reduce(head) { table, type in
      let row = type.documentation
      return table + "\n| `\(type.rawValue)` | \(row.takes) | \(row.persists) | "
        + (row.rejects.isEmpty ? "|" : "\(row.rejects) |")
    }
  }
}
