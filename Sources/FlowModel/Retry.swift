public import WebSyntax

/// Which requests of a flow are sent again, how often, and after which wait.
public struct Retry: Sendable {
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

  /// The maximum number of retries; nil for the default.
  public var max: Setting<Int>?
  /// The statuses for which a request is sent again.
  public var statuses = [429...429, 502...504]
  /// The causes of failure for which a request is sent again.
  public var causes: [Cause] = [.reset, .connect]
  /// The growth of the waits between retries.
  public var backoff = Backoff.exponential
  /// The first wait, in seconds; nil for the default, or for the maximum wait if that is shorter.
  public var wait: Setting<Double>?
  /// The maximum wait, in seconds; nil for the default. A longer wait that the server requests is shortened to it.
  public var maxWait: Setting<Double>?
  /// Whether a wait in the server's response is used.
  public var honoursServer = true
  /// The header field, declared by the flow, that sets the wait; nil if none is declared.
  public var waitField: WaitField?
  /// Whether a request of any method may be sent more than once.
  public var isIdempotent = false

  /// Creates the default settings for retries.
  public init() {}

  /// The maximum number of retries, by default 2.
  public var retries: Int { max?.constant ?? 2 }
  /// The longest wait in seconds, by default 60.
  public var longestWait: Double { maxWait?.constant ?? 60 }
  /// The first wait in seconds, by default 1.
  public var firstWait: Double { wait?.constant ?? min(1, longestWait) }
}
