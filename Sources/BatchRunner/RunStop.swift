/// The reason why a run starts no more flows although some wait.
public enum RunStop: String, Sendable, Hashable, CaseIterable {
  /// The stop was requested from outside the run.
  case asked
  /// `RunLimits.maxFailures` flows have ended as `failed` or `error`.
  case failures
  /// The time limit of the run was exceeded; the running flows were cancelled too.
  case timeout
}
