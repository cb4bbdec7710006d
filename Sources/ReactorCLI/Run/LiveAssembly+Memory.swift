internal import BatchRunner
internal import FlowCompiler
internal import ReactorCore
internal import Storage

extension LiveAssembly {
  func answer(_ flows: [RememberedFlow], _ order: AssemblyOrder) async -> AssembledFlows? {
    let root = OutputRoot(path: order.root)
    guard let results = await Self.results(of: flows, in: root) else {
      await root.close()
      return nil
    }
    return AssembledFlows(
      flows: zip(flows, results).map { flow, result in
        RunnableFlow(
          id: flow.id, file: flow.file, line: flow.line, host: flow.host, path: flow.outputPath,
          rejectedPath: flow.rejectedPath, timeout: .seconds(flow.timeout),
          toleratesSaveFailure: flow.toleratesSaveFailure, persisted: result)
      }, close: { await root.close() })
  }

  /// The persisted results of all flows; nil as soon as one may not be used.
  private static func results(of flows: [RememberedFlow], in root: OutputRoot) async -> [FlowResult]? {
    // More than there are processors: whoever gets the quick ones goes on with the rest.
    let stretches = min(flows.count, 16)
    return await withTaskExecutorPreference(PatientExecutor.shared) {
      await withTaskGroup(of: (place: Int, results: [FlowResult]?).self) { group in
        for place in 0..<stretches {
          group.addTask {
            var results: [FlowResult] = []
            for flow in flows[flows.count * place / stretches..<flows.count * (place + 1) / stretches] {
              guard !Task.isCancelled, let outcome = await flow.persisted(in: root) else { return (place, nil) }
              results.append(FlowResult(outcome))
            }
            return (place, results)
          }
        }
        var found = [[FlowResult]](repeating: [], count: stretches)
        for await (place, results) in group {
          guard let results else {
            group.cancelAll()
            return nil
          }
          found[place] = results
        }
        return Array(found.joined())
      }
    }
  }
}
