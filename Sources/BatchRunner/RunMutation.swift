public import ReactorCore
public import ReactorState

/// A change of a run with its number.
public typealias RunTransition = Transition<RunMutation>

/// A change of a run. Flows are named by their index in the plan, from 0; times are readings of the run's clock.
public enum RunMutation: Sendable, Hashable {
  /// The run begins.
  case started(at: Duration)
  /// A flow started.
  case flowStarted(Int, at: Duration)
  /// A running flow, or its deferred save, reports what it does.
  case flowProgressed(Int, FlowEvent)
  /// A flow has a result. Indirect, because a result is large and most changes are small.
  indirect case flowFinished(Int, FlowResult, at: Duration)
  /// A flow has no result.
  case flowFailed(Int, ReactorError, at: Duration)
  /// A flow that waited does not start any more.
  case flowCancelled(Int)
  /// A flow that was over waits again.
  case flowQueued(Int)
  /// A deferred save is over.
  case saveEnded(Int, ReactorError?)
  /// The run was asked to stop: flows that wait do not start any more.
  case cancelled
  /// The run stops by itself: flows that wait do not start any more.
  case stopped(RunStop)
  /// No flow waits or runs any more; deferred saves do.
  case draining
  /// The run is over.
  case finished(at: Duration)
}
