/// Always reachable: what a flow without a reachability check uses.
public struct AlwaysReachable: Reachability {
  /// Makes the only value.
  public init() {}
  /// True.
  public func isReachable(_ resource: Resource) async -> Bool { true }
}
