/// What a flow does if another run of the same flow is writing its result.
///
/// A parent flow always waits, because the processes of one run share it.
public enum OtherRunPolicy: String, Sendable, Hashable, CaseIterable {
  /// It waits until the other run ends, at most until its own deadline, and then runs.
  case wait
  /// It does not run, and that is no failure.
  case skip
  /// It fails before its first request.
  case fail
}
