/// What a reactor does about saving.
public protocol CoreConfigurable: Sendable {
  /// Whether a fetch fails when its save fails. Without effect when it does not wait for the save.
  var shouldFailWhenSaveToPersistenceFails: Bool { get }
  /// Whether the model is delivered only after it was saved; else the save runs in the save queue.
  var shouldWaitForSaveToPersistence: Bool { get }
}

/// The usual configuration of a reactor: both flags are true unless given.
public struct CoreConfiguration: CoreConfigurable, Hashable {
  /// Whether a fetch fails when its save fails.
  public var shouldFailWhenSaveToPersistenceFails: Bool
  /// Whether the model is delivered only after it was saved.
  public var shouldWaitForSaveToPersistence: Bool

  /// Builds a configuration.
  public init(shouldFailWhenSaveToPersistenceFails: Bool = true, shouldWaitForSaveToPersistence: Bool = true) {
    self.shouldFailWhenSaveToPersistenceFails = shouldFailWhenSaveToPersistenceFails
    self.shouldWaitForSaveToPersistence = shouldWaitForSaveToPersistence
  }
}
