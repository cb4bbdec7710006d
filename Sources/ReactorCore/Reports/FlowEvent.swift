/// An event of a running flow, for views of its progress.
///
/// An event is small because it is passed on several times. Large values are stored indirectly.
public enum FlowEvent: Sendable, Hashable {
  /// A step has started.
  case started(FlowStep)
  /// A step has finished, with its duration.
  case finished(FlowStep, Duration)
  /// A step has failed. After a failed `load` the flow continues with the network. A failed `save` may be tolerated.
  case failed(FlowStep, ReactorError)
  /// No persisted result can be used; the request is sent next.
  case missed(PersistenceMiss)
  /// The number of body bytes received so far.
  case received(bytes: Int)
  /// A page was read. The counts include all pages so far.
  case paged(pages: Int, records: Int)
  /// A request failed and is sent again after a wait. `attempt` counts the retries of one request from 1.
  indirect case retrying(attempt: Int, reason: RetryReason, wait: Duration)
  /// The host's rate limit, or a job that is not done, delays the next request by a second or longer.
  case waiting(Duration)
  /// Another run writes to the path of this flow's result, and the flow waits for that run. The path is relative to the
  /// root.
  case waitingForRun(path: String)
  /// A page could not be fetched. The result has only the records of the pages before it.
  case cutShort(ReactorError)
  /// Records were rejected while parsing.
  indirect case pruned(PruneReport)
  /// The position of an incremental flow before and after this run, in words; nil when there is no position.
  ///
  /// The position after the run is stored when the result is saved.
  indirect case advanced(from: String?, to: String?)
  /// A warning for the operator. The flow continues.
  case warned(FlowWarning)
  /// The result is saved, but not its stamp, which identifies the resource. The next run sends the request again.
  case unstamped(ReactorError)
  /// The save was passed to the queue. Its own events follow when it runs.
  case saveDeferred
  /// Nothing was saved, because every record was rejected.
  case saveWithheld
}

/// A function that is called with each event of a flow, in order for one fetch.
///
/// It runs on the flow's own task and must return quickly.
public typealias FlowObserver = @Sendable (FlowEvent) -> Void
