/// What became of the save of a fetched model.
public enum SaveOutcome: Sendable, Hashable {
  /// It was kept.
  case saved
  /// There was nothing to keep: it came from persistence, or the flow keeps nothing.
  case notAsked
  /// It is being kept in the save queue, whose `drain` tells how that ended.
  case deferred
  /// It could not be kept, which the configuration tolerates.
  case failedTolerated(ReactorError)
  /// Every record was rejected, so that what was kept before stays.
  case withheld
}
