/// Why a flow could not be completed: the stage that failed, what happened, and the place.
///
/// The kinds follow upstream's error enum (server, no connectivity, persistence, parser) and add those it lacks.
public struct ReactorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The stage that failed.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The transport failed, or the server answered with a status or a body that is refused.
    case server
    /// The resource's host is not reachable; no request was started.
    case noConnectivity
    /// Loading or saving the persisted result failed.
    case persistence
    /// The answer is not JSON, or does not fit the schema.
    case parser
    /// A recording or a golden is missing, damaged or cannot be used; no server was involved.
    case fixture
    /// A limit on time passed.
    case timeout
    /// The work was cancelled; not a failure of the flow.
    case cancelled
  }

  /// A place in a flow file.
  public struct Place: Sendable, Hashable {
    /// From 1.
    public var line: Int
    /// In Unicode scalars, from 1.
    public var column: Int

    /// Builds a place.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The stage that failed.
  public var kind: Kind {
    get { box.facts.kind }
    set { facts.kind = newValue }
  }
  /// What happened, lower case, no full stop, free of secrets.
  public var message: String {
    get { box.facts.message }
    set { facts.message = newValue }
  }
  /// HTTP status of the answer, when there was one.
  public var status: Int? {
    get { box.facts.status }
    set { facts.status = newValue }
  }
  /// Index of the record concerned, from 0, when there is one.
  public var recordIndex: Int? {
    get { box.facts.recordIndex }
    set { facts.recordIndex = newValue }
  }
  /// RFC 6901 pointer into the record or the answer, when there is one.
  public var pointer: String? {
    get { box.facts.pointer }
    set { facts.pointer = newValue }
  }
  /// The file concerned, when there is one.
  public var path: String? {
    get { box.facts.path }
    set { facts.path = newValue }
  }
  /// The key of the flow's declaration that the error is about, such as `pages.from`, when it is known.
  public var key: String? {
    get { box.facts.key }
    set { facts.key = newValue }
  }
  /// Where the value of that key stands in the flow's file, when it is known.
  public var place: Place? {
    get { box.facts.place }
    set { facts.place = newValue }
  }
  /// How it may be mended, when more is known than the kind tells; like the message, it may hold what a server says.
  public var help: String? {
    get { box.facts.help }
    set { facts.help = newValue }
  }
  /// Whether the connection broke before the answer was whole: the request may pass when it is sent again.
  public var isBrokenConnection: Bool {
    get { box.facts.isBrokenConnection }
    set { facts.isBrokenConnection = newValue }
  }

  private struct Facts: Sendable, Hashable {
    var kind: Kind
    var message: String
    var status: Int?
    var recordIndex: Int?
    var pointer: String?
    var path: String?
    var key: String?
    var place: Place?
    var help: String?
    var isBrokenConnection: Bool = false
  }

  private final class Box: Sendable {
    let facts: Facts
    init(_ facts: Facts) { self.facts = facts }
  }

  // Away from the error: every function on its way hands it on, and thousands of flows have a place for one.
  private var box: Box
  private var facts: Facts {
    get { box.facts }
    set { box = Box(newValue) }
  }

  /// Builds an error.
  public init(
    _ kind: Kind, _ message: String, status: Int? = nil, recordIndex: Int? = nil, pointer: String? = nil,
    path: String? = nil
  ) {
    box = Box(
      Facts(kind: kind, message: message, status: status, recordIndex: recordIndex, pointer: pointer, path: path))
  }

  /// Whether both say the same.
  public static func == (one: ReactorError, other: ReactorError) -> Bool {
    one.box === other.box || one.facts == other.facts
  }

  /// Takes all that it says.
  public func hash(into hasher: inout Hasher) { facts.hash(into: &hasher) }

  /// The transport failed, or the answer is refused.
  public static func server(_ message: String, status: Int? = nil) -> ReactorError {
    ReactorError(.server, message, status: status)
  }
  /// The host is not reachable.
  public static var noConnectivity: ReactorError { ReactorError(.noConnectivity, "the host is not reachable") }
  /// Loading or saving failed.
  public static func persistence(_ message: String, path: String? = nil) -> ReactorError {
    ReactorError(.persistence, message, path: path)
  }
  /// The answer does not fit.
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

  /// The message with its place.
  public var description: String {
    var text = message
    if let recordIndex { text += " (record \(recordIndex)\(pointer.map { ", \($0)" } ?? ""))" }
    if recordIndex == nil, let pointer { text += " (at \(pointer))" }
    return text
  }
}
