internal import ReactorCore
internal import WebSyntax

extension Pull {
  /// The network for a request. A request to another origin is sent without credentials.
  func network(
    to resource: Resource, _ network: Network, _ instruments: FlowInstruments
  ) throws(ReactorError) -> Network {
    guard let target = resource.target, !isOwn(target) else { return network }
    try refuseSecrets(in: resource, to: target)
    return try flow.network(instruments, isAuthorized: false).withoutReachabilityCheck()
  }

  /// The pull with the network for a request whose whole URL a template gives; for other requests, the pull itself.
  func reaching(_ resource: Resource) throws(ReactorError) -> Pull {
    guard plan.request.hasOwnURL else { return self }
    let network = try network(to: resource, network, instruments)
    return with { $0.network = network }
  }

  /// Refuses to send a secret in a URL to another origin, if that origin comes from a value of a record or a response.
  private func refuseSecrets(in resource: Resource, to target: String) throws(ReactorError) {
    let url = try resource.url(relativeTo: plan.request.baseURL)
    guard flow.masked(url) != url || flow.environment.secrets.isIn(url: url) else { return }
    let origin = (try? WebURL(requesting: target))?.origin ?? "another origin"
    var error = ReactorError.server(
      "the request would send a secret in its URL to \(origin), which is not the 'base_url' but comes from a value")
    error.key = "resource"
    error.help = "leave the secret out of this request, or declare that origin as the 'base_url' of the flow"
    throw error
  }

  private func isOwn(_ url: String) -> Bool {
    let base = try? WebURL(requesting: plan.request.baseURL.origin + "/")
    return (try? WebURL(requesting: url))?.origin == base?.origin
  }
}
