/// The settings with which `createFlow` builds a flow.
public protocol FlowConfigurable: Sendable {
  /// Whether and where results are persisted.
  var persistence: PersistenceConfiguration { get }
  /// Whether the host's reachability is checked before a request.
  var shouldCheckReachability: Bool { get }
  /// Whether records that do not match the mapping are left out. Otherwise the first such record fails the flow.
  var shouldPrune: Bool { get }
}

/// The standard configuration of a flow.
///
/// By default the flow checks reachability, leaves out records that do not match, and persists nothing.
public struct FlowConfiguration: FlowConfigurable {
  /// Whether and where results are persisted.
  public var persistence: PersistenceConfiguration
  /// Whether the host's reachability is checked before a request.
  public var shouldCheckReachability: Bool
  /// Whether records that do not match the mapping are left out. Otherwise the first such record fails the flow.
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
