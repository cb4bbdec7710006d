internal import Expressions
internal import FlowTerms
internal import ReactorCore
internal import Records

/// What one run asks for, by what is remembered at its beginning.
struct CursorRun: Sendable {
  let cursor: CursorPlan
  /// The present, the same for all requests of the run.
  let now: ExpressionTimestamp
  /// What is remembered.
  var state = CursorState()

  /// The ranges to ask for, of one parent where there are some.
  func ranges(_ key: String?) throws(ReactorError) -> [CursorRange] {
    let known = (key.map { state.parents[$0] } ?? state.value)
    return try cursor.ranges(from: known.flatMap { CursorValue($0, of: cursor.kind) }, at: now)
  }

  /// What is to be remembered after a pull. A pull that was cut short leaves things as they are.
  ///
  /// - Parameter mode: what becomes of the records that are persisted already
  func state(
    after outcome: Pull.Outcome, hasParents: Bool, mode: PersistenceMode
  ) throws(ReactorError) -> CursorState {
    var state = state
    let kind = cursor.kind
    if hasParents {
      for (key, text) in outcome.cursors { try state.advance(key, to: try notAhead(text, mode), of: kind) }
    } else if outcome.cut == nil, let text = outcome.greatest?.text {
      try state.advance(nil, to: try notAhead(text, mode), of: kind)
    }
    return state
  }

  /// The value, or the present where the value lies ahead of it: from a record dated in the future on, nothing would be
  /// asked for until that day comes. Records ahead of the present are asked for again, which `merge` makes harmless.
  ///
  /// - Throws: `.parser` where records would be appended twice. A clock may be a day off.
  private func notAhead(_ text: String, _ mode: PersistenceMode) throws(ReactorError) -> String {
    let kind = cursor.kind
    guard case .instant(let value)? = CursorValue(text, of: kind), value > now else { return text }
    guard mode == .append else {
      return CursorValue.instant(kind == .date ? now.floored(to: CursorValue.day) : now).text(of: kind)
    }
    guard let tomorrow = now.moved(by: .seconds(86_400)), value > tomorrow else { return text }
    var error = ReactorError.parser(
      "a record has \(text) in '\(cursor.field)', which is in the future: "
        + "nothing before it would be asked for any more")
    error.key = "cursor.field"
    error.help = "leave such records out with 'where', or use 'mode: merge', which asks for them again"
    throw error
  }
}

/// A request of a range, and how those of its further pages are made where their templates use the page.
struct RangeRequest: Sendable {
  var resource: Resource
  /// Nil for a flow without a cursor.
  var range: CursorRange?
  var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?
}
