internal import Boxes
internal import Expressions
internal import FlowModel
internal import ReactorCore
internal import Records

/// The cursor with its state and start for one run: it determines the ranges to request.
struct CursorRun: Sendable {
  @Boxed var cursor: Cursor
  /// The present time. It is the same for all requests of the run.
  let now: ExpressionTimestamp
  /// The position from which this run begins, instead of the remembered values; nil to continue from those.
  let since: Cursor.Value?
  /// The state remembered before the run.
  var state = CursorState()

  /// The ranges to request; with a key, the ranges of one parent.
  func ranges(_ key: String?) throws(ReactorError) -> [CursorRange] {
    try cursor.ranges(from: known(key), since: since, at: now)
  }

  /// The position that the last run reached, for the name `cursor.position`; with a key, that of one parent. Nil before
  /// the first run.
  ///
  /// It is the remembered value itself, without `lookback` and without `start`.
  func position(_ key: String?) -> Cursor.Value? { since ?? known(key) }

  private func known(_ key: String?) -> Cursor.Value? {
    (key.map { state.parents[$0] } ?? state.value).flatMap { Cursor.Value($0, of: cursor.kind) }
  }

  /// The state to remember after a pull. A pull that was cut short does not change the state.
  ///
  /// - Parameter mode: what happens to the records that are already persisted
  func state(
    after outcome: Pull.Outcome, hasParents: Bool, mode: PersistenceMode
  ) throws(ReactorError) -> CursorState {
    var state = state
    let kind = cursor.kind
    if hasParents {
      for (key, text) in outcome.cursors { try state.advance(key, to: try notAhead(text, mode), of: kind) }
    } else if let text = reached(outcome, mode) {
      try state.advance(nil, to: try notAhead(text, mode), of: kind)
    }
    return state
  }

  /// The value up to which all records were read; nil when none is known.
  ///
  /// It is the greatest value of a complete pull. For a pull that was cut short after some slices, and at a checkpoint,
  /// it is the end of the last complete slice, even if that has no records. Otherwise a flow whose runs are always cut
  /// short would begin at the same value each time.
  ///
  /// If a future value were remembered, no records would be requested until that time. Records with future values are
  /// therefore requested again. With `merge`, this has no effect on the result.
  func reached(_ outcome: Pull.Outcome, _ mode: PersistenceMode) -> String? {
    if cursor.token != nil { return outcome.cut == nil ? outcome.token : nil }
    if outcome.cut != nil || !outcome.left.isEmpty { return outcome.settled?.text(of: cursor.kind) }
    return mode == .append ? outcome.greatest?.text : outcome.greatest?.textWithinLimit
  }

  /// The value, or the present time if the value is in the future. The end of a slice can be in the future.
  ///
  /// - Throws: `.parser` when `append` would then add records twice. A value up to five minutes in the future is
  ///   accepted, because clocks differ.
  private func notAhead(_ text: String, _ mode: PersistenceMode) throws(ReactorError) -> String {
    let kind = cursor.kind
    guard case .instant(let value)? = Cursor.Value(text, of: kind), value > now else { return text }
    guard mode == .append else {
      return cursor.present(now) ?? text
    }
    guard let limit = now.moved(by: .seconds(300)), value > limit else { return text }
    var error = ReactorError.parser(
      "a record has \(text) in '\(cursor.field.value)', which is in the future: "
        + "no record with an earlier value would be requested any more")
    error.key = "cursor.field"
    error.help =
      "add a key to the schema, so that repeated records are recognized; or leave such records out with 'where'"
    throw error
  }
}

/// The first request of a cursor range, and how the requests for its further pages are built.
struct RangeRequest: Sendable {
  var resource: Resource
  /// The range of cursor values; nil for a flow without a cursor.
  var range: CursorRange?
  /// The position that the last run reached; nil before the first run, and in a retry.
  var position: Cursor.Value?
  var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?
  /// Builds the same request for another range; nil for a flow without a cursor.
  var other: (@Sendable (CursorRange) throws(ReactorError) -> RangeRequest)?
}
