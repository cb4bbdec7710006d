public import FlowRuntime
internal import ReactorCore

extension RunnableFlow {
  /// A flow of a flow file as the runner sees it.
  ///
  /// - Parameters:
  ///   - flow: a plan joined with its environment
  ///   - mode: where its result may come from
  ///   - toleratesSaveFailure: whether the flow passes although its result could not be persisted
  public init(_ flow: DeclaredFlow, mode: FetchMode = .persistenceFirst, toleratesSaveFailure: Bool = false) {
    self.init(
      id: flow.id, file: flow.file, line: flow.line, after: flow.parents, host: flow.host, path: flow.outputPath,
      timeout: .seconds(flow.timeout), prepare: flow.begin
    ) { (queue, observer) async throws(ReactorError) -> FlowResult in
      FlowResult(try await flow.execute(mode, queue: queue, observer: observer))
    }
    rejectedPath = flow.rejectedPath
    self.toleratesSaveFailure = toleratesSaveFailure
  }
}

extension FlowResult {
  /// What one run of a declared flow gave.
  public init(_ outcome: FlowOutcome) {
    self.init(
      source: outcome.source, miss: outcome.miss, records: outcome.report.kept, rejected: outcome.report.rejected,
      rejections: outcome.report.rejections, bytes: outcome.bytes, save: outcome.save, timings: outcome.timings,
      pages: outcome.pages)
    filtered = outcome.report.filtered
  }
}
