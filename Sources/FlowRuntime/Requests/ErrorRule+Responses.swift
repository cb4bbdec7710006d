internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

extension ErrorRule {
  /// Whether the condition, the wait or the message uses the response body.
  private var needsBody: Bool {
    let references = when.value.references + (wait?.value.references ?? []) + (message?.constant?.references ?? [])
    return references.contains { $0.root == "response" }
  }

  /// Returns the rule as closures over responses.
  func rule(in scope: EvaluationScope, _ clock: WallClock) -> ResponseRule {
    let (condition, message) = (when.value, self.message?.constant)
    var rule = ResponseRule(
      ResponseRule.Action(rawValue: action.rawValue) ?? .fail, needsBody: needsBody,
      applies: { (response) throws(ReactorError) -> Bool in
        let scope = scope.with(Self.values(of: response))
        do throws(EvaluationError) {
          return try condition.evaluate(in: scope, now: clock.now) == .bool(true)
        } catch {
          // A rule does not apply when a compared value is missing or when the response is not a JSON object.
          guard error.kind != .missing, case .json(.object)? = scope.values["response"] else { return false }
          var failure = ReactorError.parser("the rule '\(condition.text)' cannot be evaluated: \(error.message)")
          failure.key = "errors"
          throw failure
        }
      },
      message: { response in
        (try? message?.text(in: scope.with(Self.values(of: response))))
          ?? "the response is an error according to the rule '\(condition.text)' (status \(response.status))"
      })
    if let wait = wait?.value {
      rule.wait = { response in
        let value = try? wait.evaluate(in: scope.with(Self.values(of: response)), now: clock.now)
        return value.flatMap { Self.duration($0, from: clock.now) }.flatMap { $0 > .zero ? $0 : nil }
      }
    }
    return rule
  }

  /// The wait that a value means: a number of seconds, a duration, or the instant at which it ends; nil for other
  /// values.
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
