/// A condition on responses and its action, applied before the status is judged.
public struct ResponseRule: Sendable {
  /// The action when the condition holds.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// The request has failed.
    case fail
    /// The request is sent again as the retry policy allows; after the last retry it has failed.
    case retry
    /// As `retry`, and the host's other requests wait as long.
    case wait
    /// The response counts as one without records.
    case skip
    /// As `skip`, and no more requests follow.
    case stop
  }

  /// The parts of a response that conditions read.
  public struct Input: Sendable {
    /// The status.
    public var status: Int
    /// The fields.
    public var headers: Headers
    /// The whole body, decoded; nil when no rule needs it.
    public var body: [UInt8]?
  }

  /// The maximum body that conditions can read, in bytes: 32 MiB. A larger one fails the request.
  public static let bodyLimit = 32 << 20

  /// The action.
  public var action: Action
  /// Whether the condition or the message reads the body.
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
