public import ReactorCore

/// A flow for the runner: its name, its host, and the function that runs it once.
///
/// ```swift
/// RunnableFlow(id: "shop.orders", host: "https://api.example.com:443", timeout: .seconds(30)) { queue, observer in
///   FetchSummary(source: .network, records: 12)
/// }
/// ```
public struct RunnableFlow: Sendable {
  /// Runs the flow once.
  ///
  /// - Parameter queue: takes the save when the flow does not wait for the save; the runner drains this queue.
  /// - Parameter observer: is called with each event of the flow.
  public typealias Execution =
    @Sendable (_ queue: SaveQueue, _ observer: @escaping FlowObserver) async throws(ReactorError) -> FetchSummary

  /// The name of the flow, unique in a run: `file-stem.flow-name`.
  public let id: String
  /// The flow file as the user named it.
  public let file: String
  /// The line of the flow's key in the flow file, from 1.
  public let line: Int
  /// The names of the parent flows.
  ///
  /// The flow starts when all its parents have started, and fails when one of them has failed.
  public let after: [String]
  /// The host of the flow, `scheme://host:port`. Flows of the same host share the limit `RunLimits.perHost`.
  public let host: String
  /// The path of the result, relative to the output root; nil when nothing is persisted.
  public let path: String?
  /// The path of the rejected records, relative to the output root; nil when they are only reported.
  public var rejectedPath: String?
  /// The time limit of the flow's request.
  public let timeout: Duration
  /// Whether the flow passes even if its result could not be persisted.
  public var toleratesSaveFailure = false
  /// Whether the flow persists refresh tokens of which each can be used only once.
  public var persistsTokens = false
  /// Whether the flow is in the plan only because it is a parent of other flows.
  public var isAdded = false
  /// A hash of the declaration, which changes with every edit that changes requests or records; nil when unknown.
  public var version: UInt64?
  /// The maximum age of the result in seconds; nil when the flow declares none.
  public var freshness: Int?
  /// Requests a range of parents for the process that runs the flow, and returns the responses
  /// (`DeclaredFlow.responses`); nil for a flow that is not declared.
  public var respond: (@Sendable ([UInt8]) async -> [UInt8])?
  /// Called when the flow starts, before any child flow can start.
  let prepare: @Sendable () -> Void
  /// The function that runs the flow once.
  public var execution: Execution

  /// Builds a flow.
  public init(
    id: String, file: String = "", line: Int = 1, after: [String] = [], host: String, path: String? = nil,
    timeout: Duration, prepare: @escaping @Sendable () -> Void = {}, execution: @escaping Execution
  ) {
    self.id = id
    self.file = file
    self.line = line
    self.after = after
    self.host = host
    self.path = path
    self.timeout = timeout
    self.prepare = prepare
    self.execution = execution
  }
}
