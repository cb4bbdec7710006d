/// What a flow does if another run of the same flow is writing its result.
///
/// A parent flow always waits, because several processes of one run (shards) may share it.
public enum OtherRunPolicy: String, Sendable, Hashable, CaseIterable {
  /// The flow waits until the other run ends, at most until its own deadline, and then runs.
  case wait
  /// The flow does not run, and this does not count as a failure.
  case skip
  /// The flow fails before its first request.
  case fail
}
