internal import ReactorCore
internal import WebSyntax

/// The method, URL, header fields and body of the request for a resource.
///
/// The first request goes to the connection's own origin or to the resource's target. Each redirect changes the plan.
struct RequestPlan: Sendable {
  var method: String
  /// The absolute URL.
  var url: String
  var origin: Origin
  var fields: RequestFields
  var body: [UInt8]?
  /// The time at which the request fails, in nanoseconds on the monotonic clock; redirects do not extend it.
  let deadline: UInt64
  /// How often the request was sent before, each redirect included.
  var resends = 0

  /// Changes the plan to follow a redirect.
  ///
  /// - Parameter options: the connection's options, which decide which fields are secret
  mutating func follow(_ step: RedirectRules.Step, _ options: HTTPOptions) {
    if !step.keepsSecrets { fields.dropSecrets(of: options) }
    if !step.keepsBody {
      body = nil
      fields.dropContent()
    }
    method = step.method
    url = step.url.requested
    origin = Origin(step.url)
    resends += 1
  }

  /// Whether two plans send the same request. A transfer that was sent ahead can then serve the other plan.
  func asksLike(_ other: RequestPlan) -> Bool {
    method == other.method && url == other.url && fields == other.fields && body == nil && other.body == nil
  }

  /// The request as a trace has it.
  var traced: TracedRequest {
    let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    return TracedRequest(method: method, url: url, host: host, port: origin.port, resends: resends)
  }
}
