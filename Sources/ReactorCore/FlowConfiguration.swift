/// What `createFlow` builds.
public protocol FlowConfigurable: Sendable {
  /// Where results are kept, if at all.
  var persistence: PersistenceConfiguration { get }
  /// Whether the host's reachability is checked before a request.
  var shouldCheckReachability: Bool { get }
  /// Whether records that do not fit are left out; else the first one fails the flow.
  var shouldPrune: Bool { get }
}

/// The usual configuration of a flow: checks and prunes, and keeps nothing unless given a path.
public struct FlowConfiguration: FlowConfigurable, Hashable {
  /// Where results are kept, if at all.
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

/// Whether and where a flow keeps its results.
public enum PersistenceConfiguration: Sendable, Hashable {
  /// In the file at a path, one resource at a time; served for as long as given, for ever when nil.
  case enabled(path: String, expiresAfter: Duration? = nil)
  /// Nowhere.
  case disabled
}
