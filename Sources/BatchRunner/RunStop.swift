/// Why a run starts no more flows although some wait.
public enum RunStop: String, Sendable, Hashable, CaseIterable {
  /// It was asked to.
  case asked
  /// The maximum number of flows failed.
  case failures
  /// The time for the whole run was over; flows that ran were cancelled too.
  case timeout
}
