public import Expressions

/// Which requests of a flow are sent again, how often, and after which wait.
public struct RetryDeclaration: Sendable, Hashable {
  /// A cause of failure before the response has a status.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// No complete response within the request's timeout.
    case timeout
    /// The connection broke before the response started.
    case reset
    /// The connection failed.
    case connect
  }

  /// How waits grow.
  public enum Backoff: String, Sendable, Hashable, CaseIterable {
    /// Each is twice the one before it, with a random part.
    case exponential
    /// All are equal.
    case constant
  }

  /// The maximum number of retries.
  public var max = 2
  /// Statuses that are retried.
  public var statuses = [429...429, 502...504]
  /// Causes of failure that are retried.
  public var faults: [Cause] = [.reset, .connect]
  /// How waits grow.
  public var backoff = Backoff.exponential
  /// The first wait, in seconds.
  public var wait = 1.0
  /// The longest wait, in seconds, also of those that a server asks for.
  public var maxWait = 60.0
  /// Whether the server sets the wait.
  public var honoursServer = true
  /// Whether the request may be sent twice with any method.
  public var isIdempotent = false

  /// The defaults.
  public init() {}

  /// Sends every request once.
  public static var none: RetryDeclaration {
    var declaration = RetryDeclaration()
    declaration.max = 0
    return declaration
  }
}

/// How some responses of a flow are handled.
public struct ErrorRuleDeclaration: Sendable {
  /// What is done.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    case fail, retry, wait, skip, stop
  }

  /// Whether the rule applies: an expression over `status`, `headers` and `response`.
  public var when: Located<Expression>
  /// The action.
  public var action: Action
  /// The message of the error, over the same names; nil for the default.
  public var message: Located<Template>?

  /// Whether the condition or the message use the body.
  public var needsBody: Bool {
    when.value.references.contains { $0.root == "response" }
      || message?.value.segments.contains { segment in
        if case .expression(let expression) = segment {
          expression.references.contains { $0.root == "response" }
        } else {
          false
        }
      } ?? false
  }
}
