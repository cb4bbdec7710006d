public import ReactorCore

/// What became of keeping a flow's result.
public enum SaveProgress: Sendable, Hashable {
  /// There was nothing to keep.
  case notAsked
  /// It was kept.
  case saved
  /// It is being kept behind the flow's end.
  case deferred
  /// It could not be kept.
  case failed(ReactorError)
  /// It could not be kept, which the flow allows.
  case tolerated(ReactorError)
  /// Every record was rejected, so that what was kept before stays.
  case withheld

  init(_ outcome: SaveOutcome) {
    switch outcome {
    case .saved: self = .saved
    case .notAsked: self = .notAsked
    case .deferred: self = .deferred
    case .failedTolerated(let error): self = .tolerated(error)
    case .withheld: self = .withheld
    }
  }

  /// The word for reports: `none`, `saved`, `deferred`, `failed`, `tolerated` or `withheld`.
  public var word: String {
    switch self {
    case .notAsked: "none"
    case .saved: "saved"
    case .deferred: "deferred"
    case .failed: "failed"
    case .tolerated: "tolerated"
    case .withheld: "withheld"
    }
  }

  /// Why it could not be kept.
  public var error: ReactorError? {
    switch self {
    case .failed(let error), .tolerated(let error): error
    default: nil
    }
  }
}
