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
    ) { (queue, observer) async throws(ReactorError) -> FlowResult in
      FlowResult(try await flow.execute(mode, queue: queue, observer: observer))
    }
    rejectedPath = flow.rejectedPath
    version = flow.version
    self.toleratesSaveFailure = toleratesSaveFailure
  }
}

extension FlowResult {
  /// Creates the result of one run of a declared flow.
  public init(_ outcome: FlowOutcome) {
    self.init(
      source: outcome.source, miss: outcome.miss, records: outcome.report.kept, rejected: outcome.report.rejected,
      rejections: outcome.report.rejections, bytes: outcome.bytes, save: outcome.save, timings: outcome.timings,
      pages: outcome.pages)
    filtered = outcome.report.filtered
  }
}
