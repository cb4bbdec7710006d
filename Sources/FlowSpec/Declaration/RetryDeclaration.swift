public import Expressions
public import WebSyntax

/// Which requests of a flow are sent again, how often, and after which wait.
public struct RetryDeclaration: Sendable {
  /// A cause of failure that occurs before the response has a status.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The response is not complete within the request's timeout.
    case timeout
    /// The connection breaks before the response starts.
    case reset
    /// The connection cannot be opened.
    case connect
  }

  /// The growth of the waits between retries.
  public enum Backoff: String, Sendable, Hashable, CaseIterable {
    /// Each wait is twice the previous wait, with a random part.
    case exponential
    /// All waits are equal.
    case constant
  }

  /// The numbers of a flow's retries when the values of its variables are known; by default the usual ones.
  package struct Numbers: Sendable {
    /// The maximum number of retries.
    package var max = 2
    /// The first wait, in seconds.
    package var wait = 1.0
    /// The longest wait, in seconds.
    package var maxWait = 60.0

    package init() {}
  }

  /// The allowed maximum numbers of retries.
  package static let counts = 0...100
  /// The allowed waits, in seconds.
  static let waits = 0.001...86_400.0

  /// The maximum number of retries; nil for the usual one.
  public var max: Setting<Int>?
  /// The statuses for which a request is sent again.
  public var statuses = [429...429, 502...504]
  /// The causes of failure for which a request is sent again.
  public var causes: [Cause] = [.reset, .connect]
  /// The growth of the waits between retries.
  public var backoff = Backoff.exponential
  /// The first wait, in seconds; nil for the usual one, and for the longest one if that is shorter.
  public var wait: Setting<Double>?
  /// The maximum wait, in seconds; nil for the usual one. A longer wait that the server requests is cut to it.
  public var maxWait: Setting<Double>?
  /// Whether a wait in the server's response is used.
  public var honoursServer = true
  /// A further header field that sets the wait.
  public var waitField: WaitField?
  /// Whether a request of any method may be sent more than once.
  public var isIdempotent = false

  /// Creates a declaration with the default values.
  public init() {}

  /// Throws an error if the first wait is longer than the longest one.
  package static func check(wait: Double, maxWait: Double) throws(SettingError) {
    guard wait > maxWait else { return }
    throw SettingError(
      .outOfRange, "the first wait is longer than 'max_wait'",
      help: "raise 'max_wait', which is 1m unless it is written")
  }
}

/// A rule for some of a flow's responses.
public struct ErrorRuleDeclaration: Sendable {
  /// The reaction to a response that matches the rule.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    case fail, retry, wait, skip, stop, cap, shrink
  }

  /// The condition of the rule: an expression over `status`, `headers` and `response`.
  public var when: Located<Expression>
  /// The reaction to a response that matches the rule.
  public var action: Action
  /// The message of the error, which may use the same names; nil means the default message.
  public var message: Located<Template>?
  /// The wait before the request is sent again, by the same names; nil means that of `retry`.
  public var wait: Located<Expression>?

  /// Whether the condition, the wait or the message uses the response body.
  public var needsBody: Bool {
    (when.value.references + (wait?.value.references ?? [])).contains { $0.root == "response" }
      || message?.value.segments.contains { segment in
        if case .expression(let expression) = segment {
          expression.references.contains { $0.root == "response" }
        } else {
          false
        }
      } ?? false
  }
}
