public import ReactorCore

/// A flow as the runner sees it: its name, its host, and how it is run once.
///
/// ```swift
/// RunnableFlow(id: "shop.orders", host: "https://api.example.com:443", timeout: .seconds(30)) { queue, observer in
///   FlowResult(source: .network, records: 12)
/// }
/// ```
public struct RunnableFlow: Sendable {
  /// Runs the flow once.
  ///
  /// - Parameter queue: takes the save when the flow does not wait for it; the runner drains it.
  /// - Parameter observer: is called for each step.
  public typealias Execution =
    @Sendable (_ queue: SaveQueue, _ observer: @escaping FlowObserver) async throws(ReactorError) -> FlowResult

  /// `file-stem.flow-name`, unique in a run.
  public let id: String
  /// The flow file as the user named it.
  public let file: String
  /// The line of the flow's key, from 1.
  public let line: Int
  /// The parent flows: it starts when all of them have started, and fails when one has failed.
  public let after: [String]
  /// Flows of one host share a limit; `scheme://host:port`.
  public let host: String
  /// Where its result goes, relative to the output root; nil when nothing is persisted.
  public let path: String?
  /// Where its rejected records go, relative to the output root; nil when they are only reported.
  public var rejectedPath: String?
  /// The time limit of its request.
  public let timeout: Duration
  /// Whether the flow passes although its result could not be persisted.
  public var toleratesSaveFailure = false
  /// Whether it is in the plan only as a parent of others.
  public var isAdded = false
  /// Called when the flow starts, before any child flow can start.
  let prepare: @Sendable () -> Void
  /// Runs it once.
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
