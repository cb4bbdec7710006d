/// What happens while a flow runs, for a view of its progress.
///
/// An event is small, because it is passed on several times; large parts are stored indirectly.
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
  /// A page failed, and the pages before it are the result.
  case cutShort(ReactorError)
  /// Records were rejected while parsing.
  indirect case pruned(PruneReport)
  /// Fields that may be absent were in no record, and their paths look misspelt. The flow goes on.
  case missingFields(ReactorError)
  /// The result is saved, but not its stamp: the next run asks the server again.
  case unstamped(ReactorError)
  /// The save was handed to the queue; its own events follow when it runs.
  case saveDeferred
  /// Nothing was saved, because every record was rejected.
  case saveWithheld
}

/// Called with each event of a flow, in order for one fetch.
///
/// It runs on the flow's own task and must be quick.
public typealias FlowObserver = @Sendable (FlowEvent) -> Void
