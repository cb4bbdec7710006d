public import JSONSyntax

/// A value inside an expression.
///
/// What comes from JSON and only passes through is given out exactly as it came: numbers keep their digits, members
/// their order.
public enum ExpressionValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A 64-bit integer.
  case int(Int64)
  /// A finite double.
  case double(Double)
  /// A number as JSON or the expression wrote it. It counts as an integer when it is written as one (no point, no
  /// exponent) of 64 bits, else as a double.
  case number(JSONNumber)
  /// A string of Unicode scalars.
  case string(String)
  /// An instant.
  case timestamp(ExpressionTimestamp)
  /// A length of time.
  case duration(Duration)
  /// A list that was made by an expression.
  case list([ExpressionValue])
  /// A map that was made by an expression: ordered, names unique.
  case map([ExpressionMember])
  /// A list or object of JSON, not looked into yet. Build values from JSON with ``init(_:)``, which takes scalars apart.
  case json(JSONValue)

  /// The same value as JSON says it.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .array, .object: self = .json(json)
    }
  }

  /// The value as JSON; timestamps and durations become their ISO 8601 text, doubles their shortest exact digits.
  public var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .number(JSONNumber(value))
    case .double(let value): .number(JSONNumber(validated: Self.digits(of: value)))
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    case .timestamp(let instant): .string(instant.text)
    case .duration(let duration): .string(DurationValue.text(duration))
    case .list(let elements): .array(elements.map(\.json))
    case .map(let members):
      .object(JSONObject(members.map { JSONObject.Member(name: $0.name, value: $0.value.json) }))
    case .json(let value): value
    }
  }

  /// The value's text for a URL, a header or a longer text: strings as they are, numbers as written, `true`, `false`,
  /// ISO 8601 for times.
  ///
  /// `null`, lists and maps have none: the error says what to do about it.
  public func text() throws(EvaluationError) -> String {
    switch self {
    case .string(let text): return text
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return String(value)
    case .double(let value): return Self.digits(of: value)
    case .number(let number): return number.text
    case .timestamp(let instant): return instant.text
    case .duration(let duration): return DurationValue.text(duration)
    case .null, .json(.null):
      throw EvaluationError(.noText, "null has no text; give a default with coalesce(…, '…')")
    case .list, .json(.array):
      throw EvaluationError(.noText, "a list has no text; join it with join(…, ',') or write it with to_json(…)")
    case .map, .json(.object):
      throw EvaluationError(.noText, "a map has no text; choose a member or write it with to_json(…)")
    case .json(let scalar): return try ExpressionValue(scalar).text()
    }
  }

  /// The shortest digits that name exactly this double, in JSON's grammar.
  static func digits(of value: Double) -> String { value.isFinite ? value.description : "0" }

  /// The name of its type in the language.
  public var typeName: String {
    switch self {
    case .null, .json(.null): "null"
    case .bool, .json(.bool): "bool"
    case .int: "int"
    case .double: "double"
    case .number(let number), .json(.number(let number)): number.isWrittenAsInteger ? "int" : "double"
    case .string, .json(.string): "string"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list, .json(.array): "list"
    case .map, .json(.object): "map"
    }
  }
}

extension JSONNumber {
  /// Whether the token is that of a 64-bit integer: without point and exponent.
  var isWrittenAsInteger: Bool { Int64(text) != nil }
}
