/// The duration of each step of a flow; nil for a step that did not run.
public struct FlowTimings: Sendable, Hashable {
  /// Reading the persisted result.
  public var load: Duration?
  /// The reachability check.
  public var reach: Duration?
  /// The request, with the body as far as it was collected before parsing.
  public var request: Duration?
  /// From bytes to the model.
  public var parse: Duration?
  /// Saving the model; nil for a deferred save, whose duration is in the queue's event.
  public var save: Duration?

  /// Nothing measured yet.
  public init() {}

  /// The duration of a step.
  public subscript(_ step: FlowStep) -> Duration? {
    get {
      switch step {
      case .load: load
      case .reach: reach
      case .request: request
      case .parse: parse
      case .save: save
      }
    }
    set {
      switch step {
      case .load: load = newValue
      case .reach: reach = newValue
      case .request: request = newValue
      case .parse: parse = newValue
      case .save: save = newValue
      }
    }
  }

  /// All measured steps together.
  public var total: Duration { FlowStep.allCases.reduce(.zero) { $0 + (self[$1] ?? .zero) } }
}

/// The steps of a flow, in their order.
public enum FlowStep: String, Sendable, Hashable, CaseIterable {
  /// Reading the persisted result.
  case load
  /// The reachability check.
  case reach
  /// The request: from asking until the body's verified end.
  case request
  /// From bytes to the model; overlaps the request when the body is read as a stream.
  case parse
  /// Saving the model.
  case save
}
