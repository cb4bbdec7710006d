internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// Makes the value of an expression what its field's type says, without loss or not at all.
struct FieldConversion {
  private let type: FieldType
  private let name: String
  /// Reads what is not of the type already, by the rules that hold for responses.
  private let scanner: RecordScanner

  init(_ name: String, _ type: FieldType) {
    self.type = type
    self.name = name
    let field = FieldMapping(name: name, from: JSONPath(singular: []), type: type, missing: .optional)
    scanner = RecordScanner(
      plan: MappingPlan(RecordSchema(name: "", fields: [field])), selection: .lines, isStrict: false,
      limits: RecordLimits.rounds, rejections: RecordScanner.Rejections(areListed: true, needReasons: true))
  }

  /// The value in the record's own shape.
  func converted(_ value: ExpressionValue) throws(RecordError) -> JSONValue {
    switch (type, value) {
    case (.string, .string), (.integer, .int), (.boolean, .bool), (.json, _), (.timestamp, .timestamp),
      (.number, .int), (.number, .double):
      return value.json
    case (_, .null), (_, .json(.null)):
      return .null
    default:
      return try scanner.record(of: value.json)[name] ?? .null
    }
  }
}

extension RecordLimits {
  /// Nothing is read before all of a round is there.
  static var rounds: RecordLimits {
    var limits = RecordLimits()
    limits.windowBytes = .max
    return limits
  }
}
