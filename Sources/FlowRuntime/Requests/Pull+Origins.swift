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

  /// The pull for a request whose URL comes from a value; the same pull for other requests.
  func reaching(_ resource: Resource) throws(ReactorError) -> Pull {
    guard plan.request.hasOwnURL else { return self }
    let network = try network(to: resource, network, instruments)
    return with { $0.network = network }
  }

  /// Refuses a URL with a secret to another origin, which a value of a record or a response names.
  private func refuseSecrets(in resource: Resource, to target: String) throws(ReactorError) {
    let url = try resource.url(relativeTo: plan.request.baseURL)
    guard flow.masked(url) != url || flow.environment.secrets.isIn(url: url) else { return }
    let origin = (try? WebURL(requesting: target))?.origin ?? "another origin"
    var error = ReactorError.server(
      "the request would send a secret in its URL to \(origin), an origin that comes from a value")
    error.key = "resource"
    error.help = "leave the secret out of such a request, or give the flow the host of the value as 'base_url'"
    throw error
  }

  private func isOwn(_ url: String) -> Bool {
    let base = try? WebURL(requesting: plan.request.baseURL.origin + "/")
    return (try? WebURL(requesting: url))?.origin == base?.origin
  }
}
