/// Which requests of a flow are sent again, how often, and after which wait.
public struct RetryDeclaration: Sendable, Hashable {
  /// What can go wrong before there is a status.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// No complete response came in the request's time.
    case timeout
    /// The connection broke before the response had begun.
    case reset
    /// No connection came about.
    case connect
  }

  /// How waits grow.
  public enum Backoff: String, Sendable, Hashable, CaseIterable {
    /// Each is twice the one before it, spread by chance.
    case exponential
    /// All are equal.
    case constant
  }

  /// How often a request is sent again at most; 0 is never.
  public var max: Int
  /// Statuses that are tried again.
  public var statuses: [ClosedRange<Int>]
  /// Faults that are tried again.
  public var faults: [Cause]
  /// How waits grow.
  public var backoff: Backoff
  /// The first wait, in seconds.
  public var wait: Double
  /// The longest wait, in seconds, also of those that a server asks for.
  public var maxWait: Double
  /// Whether the server's wish sets the wait.
  public var honoursServer: Bool
  /// Whether the request may be sent twice whatever its method.
  public var isIdempotent: Bool

  /// What holds for keys that are left out.
  public init() {
    max = 2
    statuses = [429...429, 502...504]
    faults = [.reset, .connect]
    backoff = .exponential
    wait = 1
    maxWait = 60
    honoursServer = true
    isIdempotent = false
  }

  /// Sends every request once.
  public static var none: RetryDeclaration {
    var declaration = RetryDeclaration()
    declaration.max = 0
    return declaration
  }
}
