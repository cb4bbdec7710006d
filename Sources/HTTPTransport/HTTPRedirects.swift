/// The policy that decides which redirects are followed.
public struct HTTPRedirects: Sendable, Hashable {
  /// The URLs to which a redirect may lead.
  public enum Scope: String, Sendable, Hashable, CaseIterable {
    /// No redirect is followed: the 3xx response itself is returned.
    case none
    /// A URL with the same scheme, host and port.
    case sameOrigin
    /// Any URL; secrets are not sent when the origin changes.
    case anyOrigin
  }

  /// The URLs to which a redirect may lead.
  public var scope: Scope
  /// The maximum number of redirects that are followed for one request.
  public var limit: Int
  /// Whether a redirect may lead from https to http.
  public var allowsDowngrade: Bool

  /// Creates a policy; by default, up to 10 redirects within the same origin are followed.
  public init(scope: Scope = .sameOrigin, limit: Int = 10, allowsDowngrade: Bool = false) {
    self.scope = scope
    self.limit = limit
    self.allowsDowngrade = allowsDowngrade
  }
}
