internal import ReactorCore
internal import WebSyntax

extension Pull {
  /// The network for a request. One to another origin has no credentials.
  func network(
    to resource: Resource, _ network: Network, _ instruments: FlowInstruments
  ) throws(ReactorError) -> Network {
    guard let target = resource.target, !isOwn(target) else { return network }
    return try flow.network(instruments, isAuthorized: false).withoutReachabilityCheck()
  }

  /// The pull for a request whose URL a value gives; the same pull for other requests.
  func reaching(_ resource: Resource) throws(ReactorError) -> Pull {
    guard plan.request.hasOwnURL else { return self }
    let network = try network(to: resource, network, instruments)
    return with { $0.network = network }
  }

  private func isOwn(_ url: String) -> Bool {
    let base = try? WebURL(requesting: plan.request.baseURL.origin + "/")
    return (try? WebURL(requesting: url))?.origin == base?.origin
  }
}
