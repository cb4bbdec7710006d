/// The result of a network flow: the model and the details of its responses.
public struct Parsed<Model: Sendable>: Sendable {
  /// The model.
  public var model: Model
  /// The kept and the rejected records.
  public var report: PruneReport
  /// Length of the decoded body, in bytes.
  public var bytes: Int
  /// HTTP status of the response; nil when there was no HTTP response.
  public var status: Int?
  /// The number of responses from which the model was built.
  public var pages = 1
  /// Whether the server reports "not modified". The model is then the persisted one, and only its age changes.
  public var isNotModified = false
  /// Why the model is incomplete, when an incomplete model is accepted; nil when it is complete.
  public var shortfall: ReactorError?
  /// Whether another run has persisted the model in the meantime, so that there is nothing to save.
  public var isPersisted = false
  /// The durations of the reachability check, the request and the parsing.
  public var timings: FlowTimings

  /// Builds a result.
  public init(
    _ model: Model, report: PruneReport = PruneReport(kept: 1), bytes: Int = 0, status: Int? = nil,
    timings: FlowTimings = FlowTimings()
  ) {
    self.model = model
    self.report = report
    self.bytes = bytes
    self.status = status
    self.timings = timings
  }

  /// Returns the same result with another model.
  public func with<Other: Sendable>(_ other: Other) -> Parsed<Other> {
    var parsed = Parsed<Other>(other, report: report, bytes: bytes, status: status, timings: timings)
    parsed.pages = pages
    parsed.isNotModified = isNotModified
    parsed.shortfall = shortfall
    parsed.isPersisted = isPersisted
    return parsed
  }
}
