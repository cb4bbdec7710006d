/// An action on a run. The associated index of a flow is its index in the plan, from 0.
///
/// An action that is not possible at the moment, such as the retry of a running flow, does nothing.
public enum RunAction: Sendable, Hashable {
  /// Runs the plan. This is possible only once.
  case start
  /// Cancels one flow: at once if it waits, otherwise as soon as it notices the cancellation.
  case cancel(Int)
  /// Starts no more flows and cancels the running flows; deferred saves continue.
  case cancelAll
  /// Runs a flow again whose work and save have ended. The run must be running and must not be stopped.
  case retry(Int)
  /// Starts no more flows, and cancels the running flows after the grace time.
  ///
  /// Without a grace time, the running flows are not cancelled and only keep their own time limits.
  case drain(grace: Duration?)
}
