/// What a run can be asked for. Flows are named by their index in the plan, from 0.
///
/// What is not possible at the moment, such as the retry of a flow that runs, does nothing.
public enum RunAction: Sendable, Hashable {
  /// Runs the plan: once.
  case start
  /// Cancels one flow: at once when it waits, otherwise as soon as it notices.
  case cancel(Int)
  /// Starts no more flows and cancels those that run; deferred saves go on.
  case cancelAll
  /// Runs a flow again whose work and save are over, while other flows run.
  case retry(Int)
  /// Starts no more flows. Those that run may end within the grace time, then they are cancelled; without a grace time
  /// they keep their own time limits.
  case drain(grace: Duration?)
}
