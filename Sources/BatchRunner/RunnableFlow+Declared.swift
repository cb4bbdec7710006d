public import FlowRuntime
public import ReactorCore
public import Records

extension RunnableFlow {
  /// Creates a flow for the runner from a declared flow of a flow file.
  ///
  /// ```swift
  /// RunnableFlow(flow, decorating: { closures in closures.onSave { set, _ in print("\(set.count) records saved") } })
  /// ```
  ///
  /// - Parameters:
  ///   - flow: a flow declaration joined with its environment
  ///   - mode: the allowed sources of the result
  ///   - toleratesSaveFailure: whether the flow passes even if its result could not be persisted
  ///   - decorate: changes the closures of the flow, for example with `mapNetwork`; nil to run them as declared. Child
  ///     flows get the changed records.
  public init(
    _ flow: DeclaredFlow, mode: FetchMode = .persistenceFirst, toleratesSaveFailure: Bool = false,
    decorating decorate: (@Sendable (ReactorFlow<RecordSet>) -> ReactorFlow<RecordSet>)? = nil
  ) {
    self.init(
      id: flow.id, file: flow.file, line: flow.line, after: flow.parents, host: flow.host, path: flow.outputPath,
      timeout: .seconds(flow.timeout), prepare: flow.begin
    ) { (queue, observer) async throws(ReactorError) -> FetchSummary in
      try await flow.execute(mode, queue: queue, observer: observer, decorating: decorate)
    }
    rejectedPath = flow.rejectedPath
    version = flow.version
    freshness = flow.freshness
    persistsTokens = flow.persistsTokens
    if flow.plan.each != nil { respond = flow.responses }
    self.toleratesSaveFailure = toleratesSaveFailure
  }
}
