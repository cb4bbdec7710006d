/// Tells before a request whether its host can be reached.
public protocol Reachability: Sendable {
  /// Whether a connection to the resource's host and port can be opened.
  func isReachable(_ resource: Resource) async -> Bool
}
