internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// Makes the value of an expression what its field's type says, without loss or not at all.
struct FieldConversion {
  private let type: FieldType
  private let name: String
  /// Reads what is not of the type already, by the rules that hold for answers.
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
  func converted(_ value: ExpressionValue) throws(Refusal) -> JSONValue {
    switch (type, value) {
    case (.string, .string), (.integer, .int), (.boolean, .bool), (.json, _), (.timestamp, .timestamp),
      (.number, .int), (.number, .double):
      return value.json
    case (_, .null), (_, .json(.null)):
      return .null
    default:
      return try read(value.json)
    }
  }

  private func read(_ json: JSONValue) throws(Refusal) -> JSONValue {
    let text = JSONWriter.bytes(json)
    var result: JSONValue?
    do throws(ReactorError) {
      try text.withUnsafeBufferPointer { (bytes) throws(ReactorError) in
        try scanner.append(bytes) { (_) throws(ReactorError) in }
      }
      try scanner.finish { (batch) throws(ReactorError) in result = batch.record(0)[name] }
    } catch {
      throw Refusal(error.message, rule: "value")
    }
    if let result { return result }
    throw scanner.batch.refused.first?.refusal ?? Refusal("the value does not fit", rule: "value")
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
