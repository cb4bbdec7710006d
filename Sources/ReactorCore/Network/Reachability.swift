/// Checks before a request whether its host can be reached.
public protocol Reachability: Sendable {
  /// Whether a connection to the resource's host and port can be opened.
  func isReachable(_ resource: Resource) async -> Bool

  /// Why no connection can be opened, as the error of the flow; nil when one can.
  func obstacle(to resource: Resource) async -> ReactorError?
}

extension Reachability {
  /// An error that names no cause, unless the host can be reached.
  public func obstacle(to resource: Resource) async -> ReactorError? {
    await isReachable(resource) ? nil : .noConnectivity
  }
}

/// Always reachable: what a flow without a reachability check uses.
public struct AlwaysReachable: Reachability {
  /// Makes the only value.
  public init() {}
  /// True.
  public func isReachable(_ resource: Resource) async -> Bool { true }
}
