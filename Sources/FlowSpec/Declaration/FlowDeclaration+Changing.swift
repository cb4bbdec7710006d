internal import FlowModel

extension FlowDeclaration {
  /// The method of the first request that may change the server; nil if all requests only read.
  ///
  /// The method decides (RFC 9110, section 9.2.1). A GraphQL query only reads, although it is sent with POST. Requests
  /// for tokens are not considered, because every flow with such an authorization sends them.
  package var changingMethod: String? {
    let pulls = [pull] + (firstRun.map { [$0] } ?? [])
    let requests = pulls.flatMap { [$0.request] + ($0.job?.requests ?? []) }
    return requests.first { $0.mayChangeServer }?.method
  }
}

extension RequestDeclaration {
  fileprivate var mayChangeServer: Bool {
    guard !["GET", "HEAD", "OPTIONS"].contains(method) else { return body?.records != nil }
    guard let body, body.isGraphQL else { return true }
    return body.templates.contains { $0.sourceText.contains("mutation") }
  }
}
