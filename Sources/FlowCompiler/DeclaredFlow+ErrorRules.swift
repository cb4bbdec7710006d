internal import Expressions
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore

extension DeclaredFlow {
  /// A declared rule, ready to be asked.
  func rule(_ declaration: ErrorRuleDeclaration) -> AnswerRule {
    let (scope, clock) = (scope, environment.wallClock)
    let condition = declaration.when.value
    return AnswerRule(
      AnswerRule.Action(declaration.action), needsBody: declaration.needsBody,
      applies: { (answer) throws(ReactorError) -> Bool in
        let scope = scope.with(answer)
        do throws(EvaluationError) {
          return try condition.evaluate(in: scope, now: clock.now) == .bool(true)
        } catch {
          // What is not there to be compared is no error, and neither is a text in place of JSON.
          guard error.kind != .missing, case .json(.object)? = scope.values["response"] else { return false }
          var failure = ReactorError.parser("the rule '\(condition.text)' cannot be decided: \(error.message)")
          failure.key = "errors"
          throw failure
        }
      },
      message: { answer in
        let fallback = "the answer is an error by the rule '\(condition.text)' (status \(answer.status))"
        guard let message = declaration.message?.value else { return fallback }
        return (try? message.resolve(with: scope.with(answer)).text) ?? fallback
      })
  }

  /// The rules as `explain` tells them.
  var errorRuleTexts: [String] {
    declaration.errors.map { "\($0.action.rawValue) when \($0.when.value.text)" }
  }
}

extension AnswerRule.Action {
  fileprivate init(_ action: ErrorRuleDeclaration.Action) {
    switch action {
    case .fail: self = .fail
    case .retry: self = .retry
    case .wait: self = .wait
    case .skip: self = .skip
    case .stop: self = .stop
    }
  }
}

extension ResolutionScope {
  /// The scope with the names of an answer.
  fileprivate func with(_ answer: AnswerRule.Answer) -> ResolutionScope {
    var scope = self
    scope.values["status"] = .int(Int64(answer.status))
    scope.values["headers"] = .map(Self.members(of: answer.headers))
    scope.values["response"] = Self.value(of: answer.body)
    return scope
  }

  private static func members(of headers: Headers) -> [ExpressionMember] {
    var members: [ExpressionMember] = []
    for field in headers.fields {
      let name = field.name.lowercased()
      guard !members.contains(where: { $0.name == name }) else { continue }
      members.append(ExpressionMember(name, .string(headers.values(name).joined(separator: ", "))))
    }
    return members
  }

  private static func value(of body: [UInt8]?) -> ExpressionValue {
    guard let body, !body.isEmpty else { return .null }
    if let json = try? JSONValue(parsing: body) { return ExpressionValue(json) }
    return .string(String(decoding: body, as: UTF8.self))
  }
}
