internal import FlowTerms
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Synchronization

/// Follows the cursor's field through the records of one range, which the server gives in ascending order.
///
/// Where the server stops before the end of the range, the rest has no smaller values than the greatest one so far.
final class AscendingOrder: Sendable {
  private struct State {
    var greatest: CursorValue?
    /// The first record that is less than one before it, with that one.
    var disorder: (value: CursorValue, after: CursorValue)?
  }

  private let cursor: CursorPlan
  private let state = Mutex(State())

  /// Creates an order; nil when no new range begins within a range.
  init?(_ cursor: CursorPlan) {
    guard cursor.cap?.then == .restart else { return nil }
    self.cursor = cursor
  }

  /// Takes the field's value of the next record. A record without a value has no place in the order.
  func take(_ value: JSONValue) {
    guard let value = CursorValue(value, as: cursor.kind) else { return }
    state.withLock { state in
      guard let greatest = state.greatest else { return state.greatest = value }
      if value < greatest {
        if state.disorder == nil { state.disorder = (value, greatest) }
      } else {
        state.greatest = value
      }
    }
  }

  /// The greatest value so far; nil without a value.
  ///
  /// - Throws: `.parser` when a record is less than one before it, because records before the value could be missing.
  func greatest() throws(ReactorError) -> CursorValue? {
    let state = state.withLock { $0 }
    guard let disorder = state.disorder else { return state.greatest }
    func text(_ value: CursorValue) -> String { value.text(of: cursor.kind) }
    var error = ReactorError.parser(
      "a record with '\(cursor.field)' \(text(disorder.value)) comes after one with \(text(disorder.after)), so the "
        + "records are not in ascending order, and the rest of the range cannot begin at the last one")
    error.key = "cursor.cap.then"
    error.help = "ask the server for that order, or write 'then: halve'"
    throw error
  }
}
