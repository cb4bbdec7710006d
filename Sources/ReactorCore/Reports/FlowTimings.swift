/// The duration of each step of a flow; nil for a step that did not run.
public struct FlowTimings: Sendable, Hashable {
  /// The load of the persisted result.
  public var load: Duration?
  /// The reachability check.
  public var reach: Duration?
  /// The request, including the part of the body that was received before parsing.
  public var request: Duration?
  /// The conversion of the bytes to the model.
  public var parse: Duration?
  /// The save of the model; nil for a deferred save, whose event in the queue has the duration.
  public var save: Duration?

  /// Creates timings without any measured step.
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

  /// The sum of all measured steps.
  public var total: Duration { FlowStep.allCases.reduce(.zero) { $0 + (self[$1] ?? .zero) } }
}

/// A step of a flow, in the order in which the steps run.
public enum FlowStep: String, Sendable, Hashable, CaseIterable {
  /// The load of the persisted result.
  case load
  /// The reachability check.
  case reach
  /// The request, from sending it to the verified end of the body.
  case request
  /// The conversion of the bytes to the model. It overlaps the request when the body is read as a stream.
  case parse
  /// The save of the model.
  case save
}
