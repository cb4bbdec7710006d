public import ReactorCore

/// The progress of the save of a flow's result.
public enum SaveProgress: Sendable, Hashable {
  /// The flow persists nothing.
  case notAsked
  /// The result is persisted.
  case saved
  /// The save continues after the flow's end.
  case deferred
  /// The save failed.
  case failed(ReactorError)
  /// The save failed, and the flow tolerates the failure.
  case tolerated(ReactorError)
  /// Every record was rejected, so the previous result stays.
  case withheld

  /// Creates the progress at the end of the flow.
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

  /// Why the save failed; nil when it did not fail.
  public var error: ReactorError? {
    switch self {
    case .failed(let error), .tolerated(let error): error
    default: nil
    }
  }
}
