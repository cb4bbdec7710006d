internal import Expressions
internal import JSONSyntax
internal import ReactorCore

extension ExpressionTemplate {
  /// The text with all expressions evaluated.
  ///
  /// - Throws: `.parser` with the expression that has no usable value, without secrets.
  func text(in scope: EvaluationScope, for destination: TemplateDestination = .line) throws(ReactorError) -> String {
    do throws(ExpressionTemplateError) {
      return try filled(in: scope, for: destination)
    } catch {
      throw scope.failure(error)
    }
  }

  /// The text with all expressions evaluated; nil for `{{ optional(…) }}` without a value.
  func textIfPresent(in scope: EvaluationScope) throws(ReactorError) -> String? {
    guard isOptional else { return try text(in: scope) }
    do throws(ExpressionTemplateError) {
      if try value(in: scope, for: .line) == .null { return nil }
    } catch {
      throw scope.failure(error)
    }
    return try text(in: scope)
  }

  /// The values of a parameter that can be repeated: one for each element if the template's value is a list, none if
  /// the parameter is left out, else a single value.
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

  /// The run's error for a template without a value. It never contains a secret.
  fileprivate func failure(_ error: ExpressionTemplateError) -> ReactorError {
    guard case .evaluation(let cause, let expression) = error else { return .parser(error.message) }
    // The name is searched for only after the evaluation failed: a branch that is not evaluated may use a missing
    // value.
    if cause.kind == .missing, let name = unsetName(in: expression) { return .parser("\(name) has no value") }
    let account = cause.account(of: expression)
    var failure = ReactorError.parser(account.message)
    failure.help = account.help
    return failure
  }

  /// The first variable or secret of an expression without a value, with its kind; nil when all have values.
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
