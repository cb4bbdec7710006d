public import FlowRuntime
internal import ReactorCore

extension RunnableFlow {
  /// Creates a flow for the runner from a declared flow of a flow file.
  ///
  /// - Parameters:
  ///   - flow: a flow declaration joined with its environment
  ///   - mode: the allowed sources of the result
  ///   - toleratesSaveFailure: whether the flow passes even if its result could not be persisted
  public init(_ flow: DeclaredFlow, mode: FetchMode = .persistenceFirst, toleratesSaveFailure: Bool = false) {
    self.init(
      id: flow.id, file: flow.file, line: flow.line, after: flow.parents, host: flow.host, path: flow.outputPath,
      timeout: .seconds(flow.timeout), prepare: flow.begin
    ) { (queue, observer) async throws(ReactorError) -> FetchSummary in
      try await flow.execute(mode, queue: queue, observer: observer)
    }
    rejectedPath = flow.rejectedPath
    version = flow.version
    self.toleratesSaveFailure = toleratesSaveFailure
  }
}
