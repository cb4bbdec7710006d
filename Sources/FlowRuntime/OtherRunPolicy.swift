/// What a flow does that meets another run of itself: one that holds the place of its result.
///
/// A parent flow always waits, because the processes of one run share it.
public enum OtherRunPolicy: String, Sendable, Hashable, CaseIterable {
  /// It waits for the end of the other run, as long as its own time allows, and then runs.
  case wait
  /// It does not run, and that is no failure.
  case skip
  /// It fails before its first request.
  case fail
}
