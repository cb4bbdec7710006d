internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Synchronization

/// Checks that the records of one range arrive in ascending order of the cursor's field, and finds its greatest value.
///
/// If the server stops before the end of the range, no remaining record has a smaller value than the greatest so far.
final class AscendingOrder: Sendable {
  private struct Values {
    var greatest: Cursor.Value?
    /// The first record with a lower value than a record before it, and that earlier record.
    var disorder: (value: Cursor.Value, after: Cursor.Value)?

    mutating func take(_ value: Cursor.Value) {
      guard let greatest else { return self.greatest = value }
      if value < greatest {
        if disorder == nil { disorder = (value, greatest) }
      } else {
        self.greatest = value
      }
    }
  }

  private let cursor: Cursor
  /// The values of the records that `where` keeps, and of all records that match the schema.
  private let values = Mutex((kept: Values(), seen: Values()))

  /// Creates the check of the ascending order; nil unless `cap` has `then: restart`, because only then the next range
  /// starts at the greatest value so far.
  init?(_ cursor: Cursor) {
    guard cursor.cap?.then == .restart else { return nil }
    self.cursor = cursor
  }

  /// Returns a closure that restores the present state of the check. The pull calls the closure before it requests a
  /// page again.
  func mark() -> @Sendable () -> Void {
    let before = values.withLock { $0 }
    return { [self] in values.withLock { $0 = before } }
  }

  /// Adds the field's value of the next record that `where` keeps. A record without a value is not part of the order.
  func take(_ value: JSONValue) {
    guard let value = Cursor.Value(value, as: cursor.kind) else { return }
    values.withLock { $0.kept.take(value) }
  }

  /// Adds the field's value of the next record, also if `where` leaves it out.
  func see(_ value: JSONValue) {
    guard let value = Cursor.Value(value, as: cursor.kind) else { return }
    values.withLock { $0.seen.take(value) }
  }

  /// Returns what to request after these records, and the value up to which they were read; nil without a value.
  ///
  /// At first only the records that `where` keeps count, because a record that it leaves out can be out of order, such
  /// as a pinned record before all others. If the kept records do not move the start of the next range forward, the
  /// records that `where` leaves out count too, and then all records must be in order.
  ///
  /// - Throws: `.parser` when a record has a lower value than one before it, because records could then be missing.
  func continuation(
    of range: CursorRange
  ) throws(ReactorError) -> (next: Cursor.Continuation, greatest: Cursor.Value)? {
    let (kept, seen) = values.withLock { $0 }
    if let greatest = try greatest(kept) {
      let next = cursor.continuation(of: range, at: greatest)
      if next != .stuck { return (next, greatest) }
    }
    return try greatest(seen).map { (cursor.continuation(of: range, at: $0), $0) }
  }

  private func greatest(_ values: Values) throws(ReactorError) -> Cursor.Value? {
    guard let disorder = values.disorder else { return values.greatest }
    func text(_ value: Cursor.Value) -> String { value.text(of: cursor.kind) }
    var error = ReactorError.parser(
      "a record with '\(cursor.field.value)' \(text(disorder.value)) comes after one with \(text(disorder.after)), so "
        + "the records are not in ascending order, and the rest of the range cannot be requested from the last record")
    error.key = "cursor.cap.then"
    error.help = "ask the server for that order, or write 'then: halve'"
    throw error
  }
}
