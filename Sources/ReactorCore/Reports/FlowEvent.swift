/// What happens while a flow runs, for a view of its progress. Small, for it is passed on several times; what is large
/// lies outside of it.
public enum FlowEvent: Sendable, Hashable {
  /// A step begins.
  case started(FlowStep)
  /// A step is done.
  case finished(FlowStep, Duration)
  /// A step failed. For `load` the flow goes on to the network; for `save` it may be tolerated.
  case failed(FlowStep, ReactorError)
  /// There was no persisted result to use; the network is asked next.
  case missed(PersistenceMiss)
  /// Bytes of the body received so far.
  case received(bytes: Int)
  /// A page was read; counts are of all pages so far.
  case paged(pages: Int, records: Int)
  /// A request failed and is sent again after a wait; retries of one request are counted from 1.
  indirect case retrying(attempt: Int, reason: RetryReason, wait: Duration)
  /// The next request is held back by the host's rate limit, a second or longer.
  case waiting(Duration)
  /// The path of the flow's result, relative to the root, is being written by another run, which is waited for.
  case waitingForRun(path: String)
  /// A page failed, and what was read before it is kept as the result.
  case cutShort(ReactorError)
  /// Records were rejected while parsing.
  indirect case pruned(PruneReport)
  /// Fields that may be absent were in no record, and their paths look misspelt. The flow goes on.
  case missingFields(ReactorError)
  /// The result is in place, but what it belongs to could not be noted: the next run will ask the server again.
  case unstamped(ReactorError)
  /// The save was handed to the queue; its own events follow when it runs.
  case saveDeferred
  /// Nothing was saved, because every record was rejected.
  case saveWithheld
}

/// Is told of a flow's events, in their order for one fetch. It is called on the flow's own task: it must be quick.
public typealias FlowObserver = @Sendable (FlowEvent) -> Void
