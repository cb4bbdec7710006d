package import ReactorCore

/// A request to the connection's own origin, which alone gets credentials.
package struct OwnRequest: Sendable {
  /// The request. It is never sent ahead: it would then have the signature or the count of another request.
  package let resource: Resource
  package let base: BaseURL
  /// Its absolute URL.
  package let url: String
  /// The URL without the origin.
  package let target: String

  /// Returns nil for a request to another origin.
  package init?(_ resource: Resource, base: String) throws(ReactorError) {
    let base = try BaseURL(parsing: base)
    self.base = base
    url = try resource.url(relativeTo: base)
    guard url.hasPrefix(base.origin + "/") else { return nil }
    target = String(url.dropFirst(base.origin.count))
    var resource = resource
    resource.chain = nil
    self.resource = resource
  }
}
