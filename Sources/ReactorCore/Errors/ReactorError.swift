/// Why a flow failed: the stage, what happened, and where.
///
/// The kinds follow upstream's error enum (server, no connectivity, persistence, parser) and add those it lacks.
public struct ReactorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The stage that failed.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The transport failed, or the status or the body of the response is refused.
    case server
    /// The resource's host is not reachable; no request was started.
    case noConnectivity
    /// Loading or saving the persisted result failed.
    case persistence
    /// The response is not JSON, or does not fit the schema.
    case parser
    /// A recording or a golden is missing, damaged or cannot be used; no server was involved.
    case fixture
    /// A limit on time passed.
    case timeout
    /// The work was cancelled.
    case cancelled
  }

  /// A line and column of a flow file.
  public struct Location: Sendable, Hashable {
    /// From 1.
    public var line: Int
    /// In Unicode scalars, from 1.
    public var column: Int

    /// Builds a location.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The stage that failed.
  public var kind: Kind
  /// What happened, lower case, no full stop, free of secrets.
  public var message: String
  /// HTTP status of the response, when there was one.
  public var status: Int?
  /// Index of the record concerned, from 0, when there is one.
  public var recordIndex: Int?
  /// RFC 6901 pointer into the record or the response, when there is one.
  public var pointer: String?
  /// The file concerned, when there is one.
  public var path: String?
  /// The key of the flow's declaration that the error is about, such as `pages.from`, when it is known.
  public var key: String?
  /// The location of the value of that key in the flow's file, when it is known.
  public var location: Location?
  /// How to fix it, where more is known than the kind; may quote the server, as the message does.
  public var help: String?
  /// Whether the connection broke before the response was whole: the request may pass when it is sent again.
  public var isBrokenConnection = false

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

  /// The transport failed, or the response is refused.
  public static func server(_ message: String, status: Int? = nil) -> ReactorError {
    ReactorError(.server, message, status: status)
  }
  /// The host is not reachable.
  public static var noConnectivity: ReactorError { ReactorError(.noConnectivity, "the host is not reachable") }
  /// Loading or saving failed.
  public static func persistence(_ message: String, path: String? = nil) -> ReactorError {
    ReactorError(.persistence, message, path: path)
  }
  /// The response does not fit.
  public static func parser(_ message: String) -> ReactorError { ReactorError(.parser, message) }
  /// A recording or a golden cannot be used.
  public static func fixture(_ message: String, help: String? = nil) -> ReactorError {
    var error = ReactorError(.fixture, message)
    error.help = help
    return error
  }
  /// The work was cancelled.
  public static var cancelled: ReactorError { ReactorError(.cancelled, "cancelled") }

  /// Whether both failed in the same stage: upstream's `==`, which never compared messages.
  public func isSameKind(as other: ReactorError) -> Bool { kind == other.kind }

  /// The message with the record and the pointer.
  public var description: String {
    var text = message
    if let recordIndex { text += " (record \(recordIndex)\(pointer.map { ", \($0)" } ?? ""))" }
    if recordIndex == nil, let pointer { text += " (at \(pointer))" }
    return text
  }
}
