public import JSONSyntax

/// A value inside an expression.
///
/// A JSON value that an expression only passes on is returned unchanged: numbers keep their digits, members keep their
/// order.
public enum ExpressionValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A 64-bit integer.
  case int(Int64)
  /// A finite double.
  case double(Double)
  /// A number as it is written in JSON or in the expression.
  ///
  /// It counts as an integer if it has no decimal point and no exponent and has at most 64 bits; otherwise it counts as
  /// a double.
  case number(JSONNumber)
  /// A string of Unicode scalars.
  case string(String)
  /// An instant.
  case timestamp(ExpressionTimestamp)
  /// A duration.
  case duration(Duration)
  /// A list that an expression created.
  case list([ExpressionValue])
  /// A map that an expression created; the members are ordered and their names are unique.
  case map([ExpressionMember])
  /// A list or object of JSON that is not converted yet.
  ///
  /// Create values from JSON with ``init(_:)``, which converts scalars to their own cases.
  case json(JSONValue)

  /// Creates the value of a JSON value.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .array, .object: self = .json(json)
    }
  }

  /// The value as JSON; timestamps and durations become ISO 8601 text, doubles their shortest exact digits.
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

  /// The value's text for a URL, a header or a longer text.
  ///
  /// Strings are unchanged, numbers are as written, booleans are `true` or `false`, and times are ISO 8601. `null`,
  /// lists and maps have no text; the error says how to convert them.
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

  /// The shortest digits that represent exactly this double, in JSON's grammar.
  static func digits(of value: Double) -> String { value.isFinite ? value.description : "0" }

  /// The name of the value's type in the language.
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
  /// Whether the number is written as a 64-bit integer, without a decimal point and exponent.
  var isWrittenAsInteger: Bool { Int64(text) != nil }
}
