/// How long each step of a flow took, to the nanosecond; a step that was not taken has no duration.
public struct FlowTimings: Sendable, Hashable {
  /// A duration or none, in one word: an optional `Duration` takes three, and timings lie in every outcome.
  private struct Span: Sendable, Hashable {
    private var nanoseconds = Int64.min

    var duration: Duration? {
      get { nanoseconds == .min ? nil : .nanoseconds(nanoseconds) }
      set { nanoseconds = newValue.map { Self.nanoseconds(of: $0) } ?? .min }
    }

    /// At most 292 years.
    private static func nanoseconds(of duration: Duration) -> Int64 {
      max(-.max, Int64(clamping: duration.attoseconds / 1_000_000_000))
    }
  }

  private var loadSpan = Span()
  private var reachSpan = Span()
  private var requestSpan = Span()
  private var parseSpan = Span()
  private var saveSpan = Span()

  /// The look at the persisted result.
  public var load: Duration? {
    get { loadSpan.duration }
    set { loadSpan.duration = newValue }
  }
  /// The reachability check.
  public var reach: Duration? {
    get { reachSpan.duration }
    set { reachSpan.duration = newValue }
  }
  /// The request, with the body as far as it was collected before parsing.
  public var request: Duration? {
    get { requestSpan.duration }
    set { requestSpan.duration = newValue }
  }
  /// From bytes to the model.
  public var parse: Duration? {
    get { parseSpan.duration }
    set { parseSpan.duration = newValue }
  }
  /// Keeping the model; nil for a deferred save, whose duration the lane's event tells.
  public var save: Duration? {
    get { saveSpan.duration }
    set { saveSpan.duration = newValue }
  }

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
