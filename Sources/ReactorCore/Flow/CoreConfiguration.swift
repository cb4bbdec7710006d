/// The settings of a reactor for saving results.
public protocol CoreConfigurable: Sendable {
  /// Whether a fetch fails when its save fails. It has no effect when the fetch does not wait for the save.
  var shouldFailWhenSaveToPersistenceFails: Bool { get }
  /// Whether the model is delivered only after it is saved. Otherwise the save runs later, in the save queue.
  var shouldWaitForSaveToPersistence: Bool { get }
}

/// The standard configuration of a reactor; both flags are true by default.
public struct CoreConfiguration: CoreConfigurable, Hashable {
  /// Whether a fetch fails when its save fails.
  public var shouldFailWhenSaveToPersistenceFails: Bool
  /// Whether the model is delivered only after it is saved.
  public var shouldWaitForSaveToPersistence: Bool

  /// Builds a configuration.
  public init(shouldFailWhenSaveToPersistenceFails: Bool = true, shouldWaitForSaveToPersistence: Bool = true) {
    self.shouldFailWhenSaveToPersistenceFails = shouldFailWhenSaveToPersistenceFails
    self.shouldWaitForSaveToPersistence = shouldWaitForSaveToPersistence
  }
}
