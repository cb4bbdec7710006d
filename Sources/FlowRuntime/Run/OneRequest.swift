internal import FlowModel
internal import ReactorCore

/// The source of a run that sends only the flow's own request, with its pages.
struct OneRequest: RequestSource {
  let part: RunPart

  func requestAll(into sink: any RecordSink) async throws(ReactorError) -> Requested? {
    let (plan, flow) = (part.flow.plan, part.flow)
    let pull = part.pull.with { $0.remake = flow.remake(with: [:]) }
    // The request of a program is built here, because its templates may use `page`.
    let resource =
      plan.request.program == nil ? part.condition ?? plan.request.resource : try flow.resource(with: [:])
    return Requested(outcome: try await pull.run(resource, into: sink))
  }
}
