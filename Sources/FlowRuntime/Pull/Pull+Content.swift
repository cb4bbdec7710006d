internal import ReactorCore
internal import Records

extension Pull {
  /// The body in which a response's records are looked for; nil when it has no records, and nothing of it is read.
  func content(of response: Response, to resource: Resource) async throws(ReactorError) -> ResponseBody? {
    // RFC 9110, sections 15.3.5 and 15.3.6: these responses have no content, which here means no records.
    // Section 15.4.5: so does one that says that nothing has changed, which is only accepted where that was asked.
    if [204, 205, 304].contains(response.status) || response.meaning != nil {
      response.body.cancel()
      return nil
    }
    return mayBeEmpty(resource) ? try await response.body.unlessEmpty() : response.body
  }

  /// Whether a response without a body is one without records: what was sent is then only confirmed. A flow that says
  /// what the response holds means it.
  private func mayBeEmpty(_ resource: Resource) -> Bool {
    switch resource.method {
    case .POST, .PUT, .PATCH, .DELETE: plan.records.path == nil && plan.records.schema.schema.keepsWholeRecords
    default: false
    }
  }
}
