internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Synchronization

/// Leaves out the records of one pull that are outside of the requested range.
///
/// For a feed with the newest records first, it also finds the end of the pull, and reports records that are out of
/// order.
final class RangeFilter: Sendable {
  private struct State {
    /// The least value so far, in a descending feed.
    var least: Cursor.Value?
    /// Whether the most recent record was before the start of the range.
    var isBeforeStart = false
    /// The first record that is newer than a record before it, and that earlier record.
    var disorder: (value: Cursor.Value, after: Cursor.Value)?
  }

  private let cursor: Cursor
  private let range: CursorRange
  private let state = Mutex(State())

  /// Creates a filter; nil when the cursor leaves out no records.
  init?(_ cursor: Cursor, _ range: CursorRange) {
    guard cursor.filters else { return nil }
    self.cursor = cursor
    self.range = range
  }

  /// Whether pages must be requested one after the other, because any of them can be the last one.
  var isDescending: Bool { cursor.isDescending }

  /// The check of the cursor's field in each record.
  var check: FieldCheck {
    FieldCheck(field: cursor.field.value) { [self] value in
      // Records without a value are kept, and are not part of the order.
      guard let value = Cursor.Value(value, as: cursor.kind) else { return true }
      return admits(value)
    }
  }

  /// Returns a closure that restores the present state of the filter. The pull calls the closure before it requests a
  /// page again.
  func mark() -> @Sendable () -> Void {
    let before = state.withLock { $0 }
    return { [self] in state.withLock { $0 = before } }
  }

  private func admits(_ value: Cursor.Value) -> Bool {
    let isBefore = range.start.map { cursor.bounds.includesStart ? value < $0 : value <= $0 } ?? false
    let isAfter = range.end.map { cursor.bounds.includesEnd ? value > $0 : value >= $0 } ?? false
    if cursor.isDescending {
      state.withLock { state in
        state.isBeforeStart = isBefore
        guard let least = state.least else { return state.least = value }
        let limit = (cursor.lookback?.constant).flatMap { least.moved(by: $0) } ?? least
        if value > limit, state.disorder == nil { state.disorder = (value, least) }
        state.least = min(least, value)
      }
    }
    return !isBefore && !isAfter
  }

  /// Whether the pull ends after this page, because a descending feed has reached a record before the start of the
  /// range.
  ///
  /// - Throws: `.parser` when a record is newer than one before it.
  func endsPull(afterPage number: Int) throws(ReactorError) -> Bool {
    guard cursor.isDescending else { return false }
    let state = state.withLock { $0 }
    guard let disorder = state.disorder else { return state.isBeforeStart }
    func text(_ value: Cursor.Value) -> String { value.text(of: cursor.kind) }
    var error = ReactorError.parser(
      "page \(number): a record with '\(cursor.field.value)' \(text(disorder.value)) comes after one with "
        + "\(text(disorder.after)), so the records are not in descending order")
    error.key = "cursor.order"
    error.help =
      "ask the server for that order, leave such records out with 'where', accept a small disorder with 'lookback', or "
      + "remove 'order' and write 'filter: true'"
    throw error
  }
}

extension Cursor.Value {
  /// Creates the cursor value from the field's value in a mapped record; nil for null.
  init?(_ value: JSONValue, as kind: Cursor.Kind) {
    switch value {
    case .string(let text): self.init(text, of: kind)
    case .number(let number): self.init(number.text, of: kind)
    default: return nil
    }
  }
}
