/// What is done about some responses: a condition and an action, looked at before the status is judged.
public struct ResponseRule: Sendable {
  /// What is done when the condition holds.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// The request has failed.
    case fail
    /// The request is sent again as the retry policy allows; if it still comes to this, it has failed.
    case retry
    /// As `retry`, and the host's other requests wait as long.
    case wait
    /// The response counts as one without records.
    case skip
    /// As `skip`, and nothing more is asked for.
    case stop
  }

  /// A response as conditions see it.
  public struct Input: Sendable {
    /// The status.
    public var status: Int
    /// The fields.
    public var headers: Headers
    /// The whole body, decoded; nil when no rule needs it.
    public var body: [UInt8]?
  }

  /// The largest body that conditions can look at, in bytes: 32 MiB. A larger one fails the request.
  public static let bodyLimit = 32 << 20

  /// What is done.
  public var action: Action
  /// Whether the condition or the message look at the body.
  public var needsBody: Bool
  /// Whether it applies to a response. Throws where that cannot be decided.
  public var applies: @Sendable (Input) throws(ReactorError) -> Bool
  /// What the error of a response says.
  public var message: @Sendable (Input) -> String

  /// A rule.
  public init(
    _ action: Action, needsBody: Bool, applies: @escaping @Sendable (Input) throws(ReactorError) -> Bool,
    message: @escaping @Sendable (Input) -> String
  ) {
    self.action = action
    self.needsBody = needsBody
    self.applies = applies
    self.message = message
  }
}
