/// The reason why a request is sent again.
public enum RetryReason: Sendable, Hashable, CustomStringConvertible {
  /// The response has a status after which a retry usually succeeds.
  case status(Int)
  /// A rule of the flow requires a retry; the value is the status of the response.
  case rule(Int)
  /// No complete response arrived within the time limit of the request.
  case timeout
  /// The connection broke before the response began, or the response broke off.
  case reset
  /// No connection could be opened; no part of the request was sent.
  case connect
  /// The job that the request created has failed.
  case job

  /// The word for this reason in flow files and in the event log.
  public var word: String {
    switch self {
    case .status: "status"
    case .rule: "rule"
    case .timeout: "timeout"
    case .reset: "reset"
    case .connect: "connect"
    case .job: "job"
    }
  }

  /// Creates the reason for an error; nil when a retry would not help.
  init?(_ error: ReactorError) {
    switch error.kind {
    case .timeout: self = .timeout
    case .noConnectivity: self = .connect
    case .server where error.isBrokenConnection, .parser where error.isBrokenConnection: self = .reset
    default: return nil
    }
  }

  /// Text that completes "retried after …".
  public var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .rule(let status): "status \(status), for which a rule requires a retry"
    case .timeout: "a timeout"
    case .reset: "a broken connection"
    case .connect: "a connection that could not be opened"
    case .job: "a job that failed"
    }
  }
}
