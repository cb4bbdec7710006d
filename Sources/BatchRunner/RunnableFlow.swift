public import ReactorCore

/// A flow as the runner sees it: who it is, which limit it shares, and how it is run once.
///
/// ```swift
/// RunnableFlow(id: "shop.orders", host: "https://api.example.com:443", timeout: .seconds(30)) { lane, observer in
///   FlowResult(source: .network, records: 12)
/// }
/// ```
public struct RunnableFlow: Sendable {
  /// Runs the flow once.
  ///
  /// - Parameter lane: takes the save when the flow does not wait for it; the runner drains it.
  /// - Parameter observer: to be told of each step.
  public typealias Execution =
    @Sendable (_ lane: SaveLane, _ observer: @escaping FlowObserver) async throws(ReactorError) -> FlowResult

  /// `file-stem.flow-name`, unique in a run.
  public let id: String
  /// The flow file as the user named it.
  public let file: String
  /// The line of the flow's key, from 1.
  public let line: Int
  /// The flows whose records this one takes: it starts when all of them have started, and fails when one has failed.
  public let after: [String]
  /// Flows of one host share a limit; `scheme://host:port`.
  public let host: String
  /// Where its result goes, relative to the output root; nil when nothing is kept.
  public let path: String?
  /// Where its rejected records go, relative to the output root; nil when they are only reported.
  public let rejectedPath: String?
  /// The longest that its request may take.
  public let timeout: Duration
  /// Whether the flow passes although its result could not be kept.
  public let toleratesSaveFailure: Bool
  /// Whether it is in the plan only because others take its records.
  public let isAdded: Bool
  /// Called when the flow has got a place, before any other that takes its records can start.
  let prepare: @Sendable () -> Void
  let work: Work

  /// What a flow's place in a run is used for.
  enum Work: Sendable {
    case execution(Execution)
    /// It was found before the run began.
    case answer(FlowResult)
  }

  /// Builds a flow.
  public init(
    id: String, file: String = "", line: Int = 1, after: [String] = [], host: String, path: String? = nil,
    rejectedPath: String? = nil, timeout: Duration, toleratesSaveFailure: Bool = false, isAdded: Bool = false,
    prepare: @escaping @Sendable () -> Void = {}, execution: @escaping Execution
  ) {
    self.init(
      id: id, file: file, line: line, after: after, host: host, path: path, rejectedPath: rejectedPath,
      timeout: timeout, toleratesSaveFailure: toleratesSaveFailure, isAdded: isAdded, prepare: prepare,
      work: .execution(execution))
  }

  /// Builds a flow whose persisted result was found to be usable before the run begins.
  public init(
    id: String, file: String = "", line: Int = 1, host: String, path: String? = nil, rejectedPath: String? = nil,
    timeout: Duration, toleratesSaveFailure: Bool = false, persisted: FlowResult
  ) {
    self.init(
      id: id, file: file, line: line, after: [], host: host, path: path, rejectedPath: rejectedPath, timeout: timeout,
      toleratesSaveFailure: toleratesSaveFailure, isAdded: false, prepare: {}, work: .answer(persisted))
  }

  private init(
    id: String, file: String, line: Int, after: [String], host: String, path: String?, rejectedPath: String?,
    timeout: Duration, toleratesSaveFailure: Bool, isAdded: Bool, prepare: @escaping @Sendable () -> Void, work: Work
  ) {
    self.id = id
    self.after = after
    self.isAdded = isAdded
    self.prepare = prepare
    self.file = file
    self.line = line
    self.host = host
    self.path = path
    self.rejectedPath = rejectedPath
    self.timeout = timeout
    self.toleratesSaveFailure = toleratesSaveFailure
    self.work = work
  }
}
