internal import ReactorCore
internal import Records

extension Pull {
  /// The body of a response that may contain records; nil when it has none, and then no body is read.
  func content(of response: Response, to resource: Resource) async throws(ReactorError) -> ResponseBody? {
    guard hasContent(response) else { return nil }
    return mayBeEmpty(resource) ? try await response.body.unlessEmpty() : response.body
  }

  /// Whether a response may have content. The body of one without content is cancelled.
  func hasContent(_ response: Response) -> Bool {
    // RFC 9110, sections 15.3.5 and 15.3.6: these responses have no content, so they have no records.
    // Section 15.4.5: a 304 response has no content either. It is accepted only after a conditional request.
    guard [204, 205, 304].contains(response.status) || response.meaning != nil else { return true }
    response.body.cancel()
    return false
  }

  /// Whether a response without a body is accepted as a response without records.
  ///
  /// The response to a writing request may only confirm it. But a flow that declares `records` or a schema requires
  /// records.
  private func mayBeEmpty(_ resource: Resource) -> Bool {
    switch resource.method {
    case .POST, .PUT, .PATCH, .DELETE: plan.records.path == nil && plan.records.schema.schema.keepsWholeRecords
    default: false
    }
  }
}
