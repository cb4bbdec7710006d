package import Expressions
internal import JSONSyntax
package import ReactorCore
package import Records

/// What is done about some responses of a flow.
package struct ErrorRule: Sendable {
  /// What is done.
  package let action: ResponseRule.Action
  /// Whether the rule applies: an expression over `status`, `headers` and `response`.
  package let condition: Expression
  /// What the error says, over the same names; nil for words that name the condition.
  package let message: ExpressionTemplate?
  /// Whether condition or message look at the body.
  package let needsBody: Bool

  package init(_ action: ResponseRule.Action, when condition: Expression, message: ExpressionTemplate?, needsBody: Bool)
  {
    self.action = action
    self.condition = condition
    self.message = message
    self.needsBody = needsBody
  }

  /// The rule, ready to be asked.
  func rule(in scope: EvaluationScope, _ clock: WallClock) -> ResponseRule {
    ResponseRule(
      action, needsBody: needsBody,
      applies: { (response) throws(ReactorError) -> Bool in
        let scope = scope.with(Self.values(of: response))
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
      message: { response in
        (try? message?.text(in: scope.with(Self.values(of: response))))
          ?? "the response is an error by the rule '\(condition.text)' (status \(response.status))"
      })
  }

  /// What a rule sees of a response.
  private static func values(of response: ResponseRule.Input) -> [String: ExpressionValue] {
    [
      "status": .int(Int64(response.status)), "headers": .map(members(of: response.headers)),
      "response": value(of: response.body),
    ]
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
