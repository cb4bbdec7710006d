package import Expressions
internal import ReactorCore

/// The values that the programs of a flow may use: those that are fixed before the first request, and those of one
/// request.
package struct RunScope: ExpressionScope, Sendable {
  /// `vars`, `secrets` and `env`, the same for all flows of a file.
  package let fixed: [String: ExpressionValue]
  /// What `now()` means.
  package let now: ExpressionTimestamp
  /// What is known while the flow runs, by name: a parent's record, the bounds of a cursor.
  var values: [String: ExpressionValue] = [:]

  package init(_ fixed: [String: ExpressionValue], now: ExpressionTimestamp) {
    self.fixed = fixed
    self.now = now
  }

  /// The value of a name.
  package func value(of name: String) -> ExpressionValue? { values[name] ?? fixed[name] }

  /// The same scope with the values of one request.
  func with(_ values: [String: ExpressionValue]) -> RunScope {
    var scope = self
    scope.values = values
    return scope
  }

  /// The texts of all secrets.
  var secrets: [String] {
    guard case .map(let members)? = fixed["secrets"] else { return [] }
    return members.compactMap { if case .string(let text) = $0.value { text } else { nil } }
  }

  /// The value of an expression.
  ///
  /// - Throws: `.parser` saying why there is none, without a secret.
  func value(_ expression: Expression) throws(ReactorError) -> ExpressionValue {
    do throws(EvaluationError) {
      return try expression.evaluate(in: self, now: now)
    } catch {
      // What a branch names that is not taken need not be set.
      if error.kind == .missing, let name = unsetName(in: expression) { throw .parser("\(name) has no value") }
      throw Self.failure(error, expression)
    }
  }

  /// The same as text.
  func text(_ expression: Expression) throws(ReactorError) -> String {
    try Self.text(try value(expression), of: expression)
  }

  static func text(_ value: ExpressionValue, of expression: Expression) throws(ReactorError) -> String {
    do throws(EvaluationError) {
      return try value.text()
    } catch {
      throw failure(error, expression)
    }
  }

  /// The first variable or secret in an expression that has no value, in words.
  private func unsetName(in expression: Expression) -> String? {
    for reference in expression.references {
      guard let name = reference.firstMember, case .map(let members)? = fixed[reference.root],
        !members.contains(where: { $0.name == name })
      else { continue }
      switch reference.root {
      case "vars": return "variable '\(name)'"
      case "secrets": return "secret '\(name)'"
      default: continue
      }
    }
    return nil
  }

  /// What went wrong; an error's text may hold a value, which may be a secret.
  private static func failure(_ error: EvaluationError, _ expression: Expression) -> ReactorError {
    let usesSecret = expression.references.contains { $0.root == "secrets" }
    return .parser(
      usesSecret ? "'\(expression.text)' has no value for these secrets" : "'\(expression.text)': \(error.message)")
  }
}
