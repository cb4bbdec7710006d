package import ReactorCore

/// A request to the connection's own origin. Requests to other origins get no credentials.
package struct OwnRequest: Sendable {
  /// The request. It is never sent ahead, because its signature or its count is computed when it is sent.
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
