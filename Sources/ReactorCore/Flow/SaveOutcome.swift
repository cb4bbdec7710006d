/// What became of the save of a fetched model.
public enum SaveOutcome: Sendable, Hashable {
  /// It was persisted.
  case saved
  /// There was nothing to save: the model was persisted already, or the flow persists nothing.
  case notAsked
  /// The save runs in the save queue, whose `drain` returns the failures.
  case deferred
  /// The save failed, which the configuration tolerates.
  case failedTolerated(ReactorError)
  /// Every record was rejected, so the result before it stays.
  case withheld
}
