import JSONSyntax
import Testing

@testable import Expressions

/// What the tests evaluate with.
enum Trial {
  static let now = ExpressionTimestamp(iso8601: "2026-01-15T10:30:00Z") ?? .epoch

  static let nothing: [String: ExpressionValue] = [:]

  /// The result as JSON, or the error's kind after `error: `.
  static func outcome(
    _ text: String, in scope: [String: ExpressionValue] = nothing, limits: EvaluationLimits = .standard
  ) throws -> String {
    let expression = try Expression(parsing: text)
    do {
      let value = try expression.evaluate(in: scope, now: now, limits: limits)
      return String(decoding: JSONWriter.bytes(value.json), as: UTF8.self)
    } catch {
      return "error: \(error.kind.rawValue)"
    }
  }

  /// A scope from the JSON of its names.
  static func scope(_ names: KeyValuePairs<String, String>) throws -> [String: ExpressionValue] {
    var scope: [String: ExpressionValue] = [:]
    for (name, json) in names { scope[name] = ExpressionValue(try JSONValue(parsing: json)) }
    return scope
  }
}

extension ExpressionType {
  /// Whether a value is of this type.
  func admits(_ value: ExpressionValue) -> Bool {
    switch self {
    case .dynamic: true
    case .optional(let type): value.isNull || type.admits(value)
    case .list(let type): (value.elements ?? []).allSatisfy { type.admits($0) } && value.isList
    case .map(let type): (value.members ?? []).allSatisfy { type.admits($0.value) } && value.isMap
    case .object(let object):
      value.isMap
        && object.members.allSatisfy { member in
          value.member(member.name).map { member.type.admits($0) } ?? member.type.mayBeMissing
        }
    case .double: value.isNumber
    case .null, .bool, .int, .string, .timestamp, .duration: value.typeName == description
    }
  }
}
