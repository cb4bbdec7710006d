package import Expressions
internal import JSONSyntax
package import ReactorCore
internal import Records

/// A rule for some responses of a flow: a condition and an action.
package struct ErrorRule: Sendable {
  /// The action for a response to which the rule applies.
  package let action: ResponseRule.Action
  /// Whether the rule applies: an expression over `status`, `headers` and `response`.
  package let condition: Expression
  /// The template of the error message, with the same names; nil for a message that names the condition.
  package let message: ExpressionTemplate?
  /// Whether the condition or the message uses the body.
  package let needsBody: Bool

  /// The wait before the request is sent again, by the same names; nil when the retry policy sets it.
  package var wait: Expression?

  package init(_ action: ResponseRule.Action, when condition: Expression, message: ExpressionTemplate?, needsBody: Bool)
  {
    self.action = action
    self.condition = condition
    self.message = message
    self.needsBody = needsBody
  }

  /// Returns the rule as closures over responses.
  func rule(in scope: EvaluationScope, _ clock: WallClock) -> ResponseRule {
    var rule = ResponseRule(
      action, needsBody: needsBody,
      applies: { (response) throws(ReactorError) -> Bool in
        let scope = scope.with(Self.values(of: response))
        do throws(EvaluationError) {
          return try condition.evaluate(in: scope, now: clock.now) == .bool(true)
        } catch {
          // A rule does not apply when a compared value is missing or when the response is not a JSON object.
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
    if let wait {
      rule.wait = { response in
        let value = try? wait.evaluate(in: scope.with(Self.values(of: response)), now: clock.now)
        return value.flatMap { Self.duration($0, from: clock.now) }.flatMap { $0 > .zero ? $0 : nil }
      }
    }
    return rule
  }

  /// The wait that a value means: a number of seconds, a duration, or an instant up to which; nil for other values.
  private static func duration(_ value: ExpressionValue, from now: ExpressionTimestamp) -> Duration? {
    switch value {
    case .duration(let duration): return duration
    case .timestamp(let instant): return now.duration(to: instant)
    default:
      guard case .number(let number) = value.json, let seconds = number.double, seconds.isFinite else { return nil }
      return .seconds(min(max(seconds, 0), 1e9))
    }
  }

  /// The values of a response that a rule can use.
  private static func values(of response: ResponseRule.Input) -> [String: ExpressionValue] {
    [
      "status": .int(Int64(response.status)), "headers": .map(members(of: response.headers)),
      "response": value(of: response.body),
    ]
  }

  static func members(of headers: Headers) -> [ExpressionMember] {
    var members: [ExpressionMember] = []
    for field in headers.fields {
      let name = field.name.lowercased()
      guard !members.contains(where: { $0.name == name }) else { continue }
      members.append(ExpressionMember(name, .string(headers.values(name).joined(separator: ", "))))
    }
    return members
  }

  static func value(of body: [UInt8]?) -> ExpressionValue {
    guard let body, !body.isEmpty else { return .null }
    if let json = try? JSONValue(parsing: body) { return ExpressionValue(json) }
    return .string(String(decoding: body, as: UTF8.self))
  }
}
