internal import FlowModel
internal import FlowRuntime
internal import FlowSpec

extension RequestResolver {
  /// Returns the flow's job with its requests as they are sent; nil without one, or after an error was reported.
  mutating func job(_ declaration: FlowDeclaration) -> Job<RequestPlan>? {
    guard let declared = declaration.pull.job,
      var job = declared.mapRequests({ request($0, of: declaration.id) })
    else { return nil }
    job.terms.identity = IdentityText.jobIdentity(declared.terms, of: declaration.id, in: scope)
    return job
  }
}
