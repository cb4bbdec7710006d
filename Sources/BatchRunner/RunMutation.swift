public import ReactorCore

/// A change of a run. Flows are named by their place in the plan, from 0; times are readings of the run's clock.
///
/// Thousands pass through mailboxes and inboxes, so what is large lies outside of them.
public enum RunMutation: Sendable, Hashable {
  /// The run begins.
  case started(at: Duration)
  /// A flow got a place.
  case flowStarted(Int, at: Duration)
  /// A running flow, or its deferred save, tells what it does.
  case flowProgressed(Int, FlowEvent)
  /// A flow gave a result.
  indirect case flowFinished(Int, FlowResult, at: Duration)
  /// A flow gave none.
  case flowFailed(Int, ReactorError, at: Duration)
  /// A flow that waited was taken off.
  case flowCancelled(Int)
  /// A flow whose work was over waits once more.
  case flowQueued(Int)
  /// A deferred save is over.
  case saveEnded(Int, ReactorError?)
  /// The run was asked to stop: flows that wait are not started any more.
  case cancelled
  /// The run stops by itself: flows that wait are not started any more.
  case stopped(RunStop)
  /// No flow waits or runs any more; deferred saves do.
  case draining
  /// The run is over.
  case finished(at: Duration)
}
