/// All five flags in one value, for building a reactor in one line.
public struct ReactorConfiguration: FlowConfigurable, CoreConfigurable {
  /// Where results are persisted, if at all.
  public var persistence: PersistenceConfiguration
  /// Whether the host's reachability is checked before a request.
  public var shouldCheckReachability: Bool
  /// Whether records that do not fit are left out; else the first one fails the flow.
  public var shouldPrune: Bool
  /// Whether a fetch fails when its save fails.
  public var shouldFailWhenSaveToPersistenceFails: Bool
  /// Whether the model is delivered only after it was saved.
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
