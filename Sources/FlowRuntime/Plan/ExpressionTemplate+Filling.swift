internal import Expressions
internal import JSONSyntax
internal import ReactorCore

extension ExpressionTemplate {
  /// The text with all expressions evaluated.
  ///
  /// - Throws: `.parser` saying which expression has no value that fits, without a secret.
  func text(in scope: EvaluationScope, for destination: TemplateDestination = .line) throws(ReactorError) -> String {
    do throws(ExpressionTemplateError) {
      return try filled(in: scope, for: destination)
    } catch {
      throw scope.failure(error)
    }
  }

  /// The texts of a parameter that may be repeated; as many as a list has, else one.
  func texts(in scope: EvaluationScope) throws(ReactorError) -> [String] {
    do throws(ExpressionTemplateError) {
      return try repeated(in: scope, for: .line)
    } catch {
      throw scope.failure(error)
    }
  }
}

extension ExpressionDocument {
  /// The document with all expressions evaluated.
  func json(in scope: EvaluationScope) throws(ReactorError) -> JSONValue {
    do throws(ExpressionTemplateError) {
      return try value(in: scope, for: .body)
    } catch {
      throw scope.failure(error)
    }
  }
}

extension EvaluationScope {
  /// The texts of all secrets.
  var secrets: [String] {
    guard case .map(let members)? = fixed["secrets"] else { return [] }
    return members.compactMap { if case .string(let text) = $0.value { text } else { nil } }
  }

  /// The error of a run for a template without a value; it never holds a secret.
  fileprivate func failure(_ error: ExpressionTemplateError) -> ReactorError {
    guard case .evaluation(let cause, let expression) = error else { return .parser(error.message) }
    // A branch that is not taken may name what has no value.
    if cause.kind == .missing, let name = unsetName(in: expression) { return .parser("\(name) has no value") }
    let usesSecret = expression.references.contains { $0.root == "secrets" }
    return .parser(
      usesSecret ? "'\(expression.text)' has no value for these secrets" : "'\(expression.text)': \(cause.message)")
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
}
