@testable import Expressions

/// Writes a tree in the language, for round trips.
extension SyntaxNode {
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value, _): value ? "true" : "false"
    case .int(let value, _): String(value)
    case .double(let digits, _): digits
    case .string(let text, _): Self.quoted(text)
    case .name(let name, _): name
    case .member(let target, let name, _): "\(target.asTarget).\(name)"
    case .index(let target, let key, _): "\(target.asTarget)[\(key.text)]"
    case .call(let call):
      call.isMethod
        ? "\(call.arguments[0].asTarget).\(call.name)(\(call.arguments.dropFirst().map(\.text).joined(separator: ", ")))"
        : "\(call.name)(\(call.arguments.map(\.text).joined(separator: ", ")))"
    case .unary(let sign, let operand, _): "\(sign.rawValue)\(operand.asOperand)"
    case .binary(let sign, let left, let right, _):
      "\(left.text(atLeast: sign.precedence)) \(sign.rawValue) \(right.text(atLeast: sign.precedence + 1))"
    case .conditional(let test, let one, let other): "\(test.text(atLeast: 1)) ? \(one.text) : \(other.text)"
    case .list(let elements, _): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .map(let entries, _): "{\(entries.map { "\($0.key.text): \($0.value.text)" }.joined(separator: ", "))}"
    case .group(let inner, _): "(\(inner.text))"
    }
  }

  /// How it is built, without places and brackets.
  var shape: String {
    switch self {
    case .group(let inner, _): inner.shape
    case .unary(let sign, let operand, _): "(\(sign.rawValue) \(operand.shape))"
    case .binary(let sign, let left, let right, _): "(\(sign.rawValue) \(left.shape) \(right.shape))"
    case .conditional(let test, let one, let other): "(? \(test.shape) \(one.shape) \(other.shape))"
    case .member(let target, let name, _): "(. \(target.shape) \(name))"
    case .index(let target, let key, _): "(at \(target.shape) \(key.shape))"
    case .call(let call): "(\(call.isMethod ? "." : "")\(call.name) \(call.arguments.map(\.shape)))"
    case .list(let elements, _): "\(elements.map(\.shape))"
    case .map(let entries, _): "{\(entries.map { "\($0.key.shape)=\($0.value.shape)" })}"
    default: text
    }
  }

  private var precedence: Int {
    switch self {
    case .conditional: 0
    case .binary(let sign, _, _, _): sign.precedence
    default: 6
    }
  }

  private func text(atLeast least: Int) -> String { precedence >= least ? text : "(\(text))" }

  /// Before a dot or a bracket.
  private var asTarget: String {
    switch self {
    case .unary, .binary, .conditional, .int, .double: "(\(text))"
    default: text
    }
  }

  /// Behind `!` and `-`: a minus before digits would become a part of the number.
  private var asOperand: String {
    switch self {
    case .binary, .conditional, .int, .double: "(\(text))"
    default: text
    }
  }

  static func quoted(_ text: String) -> String {
    var out = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": out += "\\'"
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "'"
  }
}
