/// A condition on responses and its action; it is applied before the status is judged.
public struct ResponseRule: Sendable {
  /// What happens to a response that meets the condition.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// The request fails.
    case fail
    /// The request is sent again as the retry policy allows; it fails after the last retry.
    case retry
    /// As `retry`; the other requests to the host wait for the same time.
    case wait
    /// The response counts as a response without records.
    case skip
    /// As `skip`; no further request is sent.
    case stop
    /// As `skip`; the server returns no more records of the requested range.
    case cap
    /// The requested page is too large: it is requested again with a smaller size.
    case shrink
  }

  /// The parts of a response that conditions can read.
  public struct Input: Sendable {
    /// The status of the response.
    public var status: Int
    /// The header fields of the response.
    public var headers: Headers
    /// The whole body, decoded; nil when no rule needs it.
    public var body: [UInt8]?
  }

  /// The maximum body that conditions can read, in bytes: 32 MiB. A larger body fails the request.
  public static let bodyLimit = 32 << 20

  /// The action for a response that meets the condition.
  public var action: Action
  /// Whether the condition or the message reads the body.
  public var needsBody: Bool
  /// Returns whether the rule applies to a response. Throws when it cannot decide.
  public var applies: @Sendable (Input) throws(ReactorError) -> Bool
  /// Returns the error message for a response.
  public var message: @Sendable (Input) -> String

  /// Returns the wait before the request is sent again; nil when the retry policy sets it.
  public var wait: @Sendable (Input) -> Duration? = { _ in nil }

  /// Creates a rule.
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
