/// What `createFlow` builds.
public protocol FlowConfigurable: Sendable {
  /// Where results are persisted, if at all.
  var persistence: PersistenceConfiguration { get }
  /// Whether the host's reachability is checked before a request.
  var shouldCheckReachability: Bool { get }
  /// Whether records that do not fit are left out; else the first one fails the flow.
  var shouldPrune: Bool { get }
}

/// The usual configuration of a flow: checks reachability, prunes, and persists nothing unless given a path.
public struct FlowConfiguration: FlowConfigurable {
  /// Where results are persisted, if at all.
  public var persistence: PersistenceConfiguration
  /// Whether the host's reachability is checked before a request.
  public var shouldCheckReachability: Bool
  /// Whether records that do not fit are left out; else the first one fails the flow.
  public var shouldPrune: Bool

  /// Builds a configuration.
  public init(
    persistence: PersistenceConfiguration = .disabled, shouldCheckReachability: Bool = true,
    shouldPrune: Bool = true
  ) {
    self.persistence = persistence
    self.shouldCheckReachability = shouldCheckReachability
    self.shouldPrune = shouldPrune
  }
}
