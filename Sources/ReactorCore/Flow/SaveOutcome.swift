/// The outcome of the save of a fetched model.
public enum SaveOutcome: Sendable, Hashable {
  /// The model was persisted.
  case saved
  /// There was nothing to save: the model was already persisted, or the flow persists nothing.
  case notAsked
  /// The save runs in the save queue. The queue's `drain` returns the failures.
  case deferred
  /// A deferred save failed. (A fetch that waits for its save throws the error instead.)
  indirect case failed(ReactorError)
  /// The save failed, and the configuration tolerates the failure.
  indirect case failedTolerated(ReactorError)
  /// Every record was rejected. Nothing was saved, and the previous persisted result stays.
  case withheld

  /// The word for reports: `none`, `saved`, `deferred`, `failed`, `tolerated` or `withheld`.
  public var word: String {
    switch self {
    case .notAsked: "none"
    case .saved: "saved"
    case .deferred: "deferred"
    case .failed: "failed"
    case .failedTolerated: "tolerated"
    case .withheld: "withheld"
    }
  }

  /// Why the save failed; nil when it did not fail.
  public var error: ReactorError? {
    switch self {
    case .failed(let error), .failedTolerated(let error): error
    case .saved, .notAsked, .deferred, .withheld: nil
    }
  }
}
