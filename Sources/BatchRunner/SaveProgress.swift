public import ReactorCore

/// How far a flow's result is persisted.
public enum SaveProgress: Sendable, Hashable {
  /// The flow persists nothing.
  case notAsked
  /// The result is persisted.
  case saved
  /// The save goes on after the flow's end.
  case deferred
  /// The save failed.
  case failed(ReactorError)
  /// The save failed, which the flow allows.
  case tolerated(ReactorError)
  /// Every record was rejected, so the previous result stays.
  case withheld

  /// The progress at the flow's end.
  package init(_ outcome: SaveOutcome) {
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

  /// Why the save failed.
  public var error: ReactorError? {
    switch self {
    case .failed(let error), .tolerated(let error): error
    default: nil
    }
  }
}
