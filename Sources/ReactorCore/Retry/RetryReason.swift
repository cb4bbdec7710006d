/// Why a request is sent again.
public enum RetryReason: Sendable, Hashable, CustomStringConvertible {
  /// A status after which a retry usually passes.
  case status(Int)
  /// A rule of the flow asks for a retry; with the status of the response.
  case rule(Int)
  /// No complete response came within the request's time.
  case timeout
  /// The connection broke before the response had begun.
  case reset
  /// No connection could be opened: nothing of the request was sent.
  case connect

  /// The kind in one word, as flow files and the event log say it.
  public var word: String {
    switch self {
    case .status: "status"
    case .rule: "rule"
    case .timeout: "timeout"
    case .reset: "reset"
    case .connect: "connect"
    }
  }

  /// The reason behind an error; nil where a retry would not help.
  init?(_ error: ReactorError) {
    switch error.kind {
    case .timeout: self = .timeout
    case .noConnectivity: self = .connect
    case .server where error.isBrokenConnection: self = .reset
    default: return nil
    }
  }

  /// Completes "retried after …".
  public var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .rule(let status): "status \(status), by a rule"
    case .timeout: "a timeout"
    case .reset: "a broken connection"
    case .connect: "a connection that could not be opened"
    }
  }
}
