/// The error of a flow: its kind, its message, and its location.
///
/// Four kinds are those of upstream's error enum (server, no connectivity, persistence, parser). Upstream does not have
/// the others.
public struct ReactorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The stage that failed.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The transport failed, or the status or body of the response was rejected.
    case server
    /// The resource's host is not reachable; no request was started.
    case noConnectivity
    /// Loading or saving the persisted result failed.
    case persistence
    /// The response is not JSON, or does not match the schema.
    case parser
    /// A recording or a golden file is missing, damaged or unusable. No server was involved.
    case fixture
    /// A time limit was exceeded.
    case timeout
    /// The work was cancelled.
    case cancelled
  }

  /// A line and column of a flow file.
  public struct Location: Sendable, Hashable {
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int

    /// Builds a location.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The stage that failed.
  public var kind: Kind
  /// A description of the problem: lower case, no full stop, no secrets.
  public var message: String
  /// HTTP status of the response; nil without a response.
  public var status: Int?
  /// Index of the record concerned, from 0; nil when no record is concerned.
  public var recordIndex: Int?
  /// RFC 6901 pointer into the record or the response; nil when there is none.
  public var pointer: String?
  /// The file concerned; nil when no file is concerned.
  public var path: String?
  /// The key of the flow's declaration that caused the error, such as `pages.from`; nil when unknown.
  public var key: String?
  /// The location of the value of `key` in the flow file; nil when unknown.
  public var location: Location?
  /// A suggestion for the fix; nil when nothing more specific than the kind is known. Like the message, it may quote
  /// the server.
  public var help: String?
  /// Whether the response is incomplete: its connection, its encoded data or its content ended too early. The request
  /// may succeed when it is sent again.
  public var isBrokenConnection = false
  /// Whether the flow failed because another run of the same flow has locked the result.
  public var isOtherRun = false
  /// Whether the state that several processes share could not be reached, so that nothing is known of the flow.
  public var isOfSharedState = false

  /// Builds an error.
  public init(
    _ kind: Kind, _ message: String, status: Int? = nil, recordIndex: Int? = nil, pointer: String? = nil,
    path: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.recordIndex = recordIndex
    self.pointer = pointer
    self.path = path
  }

  /// Creates the error of a failed transport or a rejected response.
  public static func server(_ message: String, status: Int? = nil) -> ReactorError {
    ReactorError(.server, message, status: status)
  }
  /// The error of a host that is not reachable.
  public static var noConnectivity: ReactorError { ReactorError(.noConnectivity, "the host is not reachable") }
  /// Creates the error of a failed load or save.
  public static func persistence(_ message: String, path: String? = nil) -> ReactorError {
    ReactorError(.persistence, message, path: path)
  }
  /// Creates the error of a response that does not match the schema.
  public static func parser(_ message: String) -> ReactorError { ReactorError(.parser, message) }
  /// Creates the error of a recording or golden file that cannot be used.
  public static func fixture(_ message: String, help: String? = nil) -> ReactorError {
    var error = ReactorError(.fixture, message)
    error.help = help
    return error
  }
  /// The error of cancelled work.
  public static var cancelled: ReactorError { ReactorError(.cancelled, "cancelled") }

  /// Returns whether both errors have the same kind. This is upstream's `==`, which never compared messages.
  public func isSameKind(as other: ReactorError) -> Bool { kind == other.kind }

  /// The message followed by the record and the pointer.
  public var description: String {
    var text = message
    if let recordIndex { text += " (record \(recordIndex)\(pointer.map { ", \($0)" } ?? ""))" }
    if recordIndex == nil, let pointer { text += " (at \(pointer))" }
    return text
  }
}
