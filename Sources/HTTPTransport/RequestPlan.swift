internal import ReactorCore
internal import WebSyntax

/// What is sent for a resource: at first to the connection's own origin or the resource's target, then wherever redirects
/// lead.
struct RequestPlan: Sendable {
  var method: String
  /// Absolute.
  var url: String
  var origin: Origin
  var fields: RequestFields
  var body: [UInt8]?
  /// On the monotonic clock, nanoseconds; redirects do not move it.
  let deadline: UInt64

  /// Goes where a redirect leads.
  ///
  /// - Parameter options: the connection's, by which fields are secrets
  mutating func follow(_ step: RedirectRules.Step, _ options: HTTPOptions) {
    if !step.keepsSecrets { fields.dropSecrets(of: options) }
    if !step.keepsBody {
      body = nil
      fields.dropContent()
    }
    method = step.method
    url = step.url.requested
    origin = Origin(step.url)
  }

  /// Whether both ask for the same: a request that was sent ahead may serve for the other.
  func asksLike(_ other: RequestPlan) -> Bool {
    method == other.method && url == other.url && fields == other.fields && body == nil && other.body == nil
  }
}
