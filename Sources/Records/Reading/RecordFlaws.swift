internal import ReactorCore
internal import Synchronization

/// The rows and lines of a response that its decoder could not read.
///
/// A decoder turns another format into JSON. Instead of such a row it writes the text as received, as a JSON string,
/// and adds the reason here. The record reader then rejects the record. The decoder is always ahead of the reader.
public final class RecordFlaws: Sendable {
  private struct State {
    var reasons: [Int: String] = [:]
    var last: Int?
  }

  private let state = Mutex(State())
  /// The number of reasons that the reader has not taken yet.
  private let pending = Atomic(0)

  /// Creates an empty list.
  public init() {}

  /// Adds the reason why the record at an index cannot be read.
  ///
  /// - Parameters:
  ///   - index: the record's index in the response, from 0; greater than that of every earlier reason
  ///   - reason: in lower case, without a full stop
  public func add(at index: Int, because reason: String) {
    state.withLock { state in
      state.reasons[index] = reason
      state.last = index
    }
    pending.add(1, ordering: .releasing)
  }

  /// The index of the last record that could not be read; nil when all could be read.
  public var last: Int? { state.withLock { $0.last } }

  /// Removes and returns the error of the record at an index; nil when the decoder could read the record.
  func take(at index: Int) -> RecordError? {
    guard pending.load(ordering: .acquiring) > 0,
      let reason = state.withLock({ $0.reasons.removeValue(forKey: index) })
    else { return nil }
    pending.subtract(1, ordering: .relaxed)
    return RecordError(reason, rule: "format")
  }
}
