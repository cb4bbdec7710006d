public import ReactorCore
public import ReactorState

/// A change of a run with its number.
public typealias RunTransition = Transition<RunMutation>

/// A change of a run.
///
/// The associated index of a flow is its index in the plan, from 0. Times are readings of the run's clock.
public enum RunMutation: Sendable, Hashable {
  /// The run has started.
  case started(at: Duration)
  /// A flow has started.
  case flowStarted(Int, at: Duration)
  /// A running flow, or its deferred save, reports an event.
  case flowProgressed(Int, FlowEvent)
  /// A flow has ended with a result. The case is indirect, because a result is large and most changes are small.
  indirect case flowFinished(Int, FetchSummary, at: Duration)
  /// A flow has ended without a result.
  case flowFailed(Int, ReactorError, at: Duration)
  /// A waiting flow will not start any more.
  case flowCancelled(Int)
  /// A flow that had ended waits to be run again.
  case flowQueued(Int)
  /// A deferred save has ended.
  case saveEnded(Int, ReactorError?)
  /// A stop of the run was requested: waiting flows will not start any more.
  case cancelled
  /// The run stops by itself: waiting flows will not start any more.
  case stopped(RunStop)
  /// Other processes of the run have the flows that wait here.
  case leftToOthers
  /// No flow waits or runs any more; deferred saves may still run.
  case draining
  /// The run has ended.
  case finished(at: Duration)
}
