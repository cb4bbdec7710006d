/// The result of a network flow: the model and the facts of its responses.
public struct Parsed<Model: Sendable>: Sendable {
  /// The model.
  public var model: Model
  /// The kept and the rejected records.
  public var report: PruneReport
  /// Length of the decoded body, in bytes.
  public var bytes: Int
  /// HTTP status of the response; nil when no HTTP was involved.
  public var status: Int?
  /// Responses that the model came from.
  public var pages = 1
  /// Whether the server reports "not modified": the model is the persisted one, and only its age changes.
  public var isNotModified = false
  /// Why the model holds less than there is, when that is accepted.
  public var shortfall: ReactorError?
  /// Whether another run has persisted the model meanwhile: there is nothing to save.
  public var isPersisted = false
  /// How long reaching, requesting and parsing took.
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

  /// The same with another model.
  public func with<Other: Sendable>(_ other: Other) -> Parsed<Other> {
    var parsed = Parsed<Other>(other, report: report, bytes: bytes, status: status, timings: timings)
    parsed.pages = pages
    parsed.isNotModified = isNotModified
    parsed.shortfall = shortfall
    parsed.isPersisted = isPersisted
    return parsed
  }
}
