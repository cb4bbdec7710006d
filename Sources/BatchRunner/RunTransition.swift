/// A change of a run with its number: the first is 1, and none is left out.
public struct RunTransition: Sendable, Hashable {
  /// Counts the run's changes, also those that a listener did not ask for.
  public let sequence: Int
  /// What changed.
  public let mutation: RunMutation
}
