/// Which redirects are followed.
public struct HTTPRedirects: Sendable, Hashable {
  /// Where a redirect may lead.
  public enum Scope: String, Sendable, Hashable, CaseIterable {
    /// Nowhere: the 3xx response itself is returned.
    case none
    /// To the same scheme, host and port.
    case sameOrigin
    /// Anywhere; secrets are left behind when the origin changes.
    case anyOrigin
  }

  /// Where a redirect may lead.
  public var scope: Scope
  /// How many may follow each other.
  public var limit: Int
  /// Whether a redirect may lead from https to http.
  public var allowsDowngrade: Bool

  /// Builds a policy; the defaults are the published ones.
  public init(scope: Scope = .sameOrigin, limit: Int = 10, allowsDowngrade: Bool = false) {
    self.scope = scope
    self.limit = limit
    self.allowsDowngrade = allowsDowngrade
  }
}
