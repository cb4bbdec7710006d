/// All five flags of a flow and its reactor in one value.
public struct ReactorConfiguration: FlowConfigurable, CoreConfigurable {
  /// Whether and where results are persisted.
  public var persistence: PersistenceConfiguration
  /// Whether the host's reachability is checked before a request.
  public var shouldCheckReachability: Bool
  /// Whether records that do not match the mapping are left out. Otherwise the first such record fails the flow.
  public var shouldPrune: Bool
  /// Whether a fetch fails when its save fails.
  public var shouldFailWhenSaveToPersistenceFails: Bool
  /// Whether the model is delivered only after it is saved.
  public var shouldWaitForSaveToPersistence: Bool

  /// Builds a configuration.
  public init(
    persistence: PersistenceConfiguration = .disabled, shouldCheckReachability: Bool = true,
    shouldPrune: Bool = true, shouldFailWhenSaveToPersistenceFails: Bool = true,
    shouldWaitForSaveToPersistence: Bool = true
  ) {
    self.persistence = persistence
    self.shouldCheckReachability = shouldCheckReachability
    self.shouldPrune = shouldPrune
    self.shouldFailWhenSaveToPersistenceFails = shouldFailWhenSaveToPersistenceFails
    self.shouldWaitForSaveToPersistence = shouldWaitForSaveToPersistence
  }
}
