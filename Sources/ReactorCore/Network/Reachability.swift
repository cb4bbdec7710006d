/// Checks before a request whether its host can be reached.
public protocol Reachability: Sendable {
  /// Returns whether a connection to the resource's host and port can be opened.
  func isReachable(_ resource: Resource) async -> Bool

  /// Returns why no connection can be opened, as the error of the flow; nil when a connection can be opened.
  func obstacle(to resource: Resource) async -> ReactorError?
}

extension Reachability {
  /// Returns `.noConnectivity`, an error without a cause; nil when the host can be reached.
  public func obstacle(to resource: Resource) async -> ReactorError? {
    await isReachable(resource) ? nil : .noConnectivity
  }
}

/// Always reports the host as reachable; used by flows without a reachability check.
public struct AlwaysReachable: Reachability {
  /// Creates the value; all values are equal.
  public init() {}
  /// Returns true.
  public func isReachable(_ resource: Resource) async -> Bool { true }
}
