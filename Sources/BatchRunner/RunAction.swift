/// What a run can be asked for. Flows are named by their place in the plan, from 0; what cannot be at the moment, such as
/// the retry of a flow that runs, does nothing.
public enum RunAction: Sendable, Hashable {
  /// Runs the plan: once.
  case start
  /// Cancels one flow: at once where it waits, else as soon as it heeds.
  case cancel(Int)
  /// Begins no more flows and cancels those that run; saves that were deferred go on.
  case cancelAll
  /// Runs a flow again whose work and save are over, while other flows still run.
  case retry(Int)
  /// Begins no more flows; those that run may end within the grace time, then they are cancelled. Without one they may
  /// take as long as they are allowed to.
  case drain(grace: Duration?)
}
