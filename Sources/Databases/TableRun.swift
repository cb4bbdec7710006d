public import ReactorCore

/// One run of a flow, as its database remembers it. Times are milliseconds since 1970 UTC.
public struct TableRun: Sendable, Hashable {
  /// The id of the run, which the flows of one run have in common.
  public var id: String
  /// The flow, as `file.flow`.
  public var flow: String
  /// The flow's table.
  public var table: String
  /// When the flow began.
  public var started: Int64
  /// When the flow ended, or when its load began.
  public var ended: Int64
  /// The number of records that were received and fit the schema.
  public var records = 0
  /// The number of records that did not fit the schema.
  public var rejected = 0
  /// The number of decoded bytes that were received.
  public var bytes = 0
  /// The load that the run stored; nil when it stored none.
  public var load: String?
  /// Why the flow failed; nil when it succeeded.
  public var failure: ReactorError?
  /// The version of this program.
  public var version = ReactorVersion.text

  /// Creates the row of a run that began and has received nothing.
  public init(_ id: String, of flow: String, into table: String, started: Int64) {
    self.id = id
    self.flow = flow
    self.table = table
    self.started = started
    ended = started
  }
}
