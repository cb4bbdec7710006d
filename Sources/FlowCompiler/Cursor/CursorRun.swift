internal import Expressions
internal import FlowSpec
internal import ReactorCore
internal import Records

/// What one run asks for, by what is remembered at its beginning.
struct CursorRun: Sendable {
  let cursor: ResolvedCursor
  /// The present, the same for all requests of the run.
  let now: ExpressionTimestamp
  /// What is remembered.
  var state = CursorState()

  /// The ranges to ask for, of one parent where there are some.
  func ranges(_ key: String?) throws(ReactorError) -> [CursorRange] {
    let known = (key.map { state.parents[$0] } ?? state.value)
    return try cursor.ranges(from: known.flatMap { CursorValue($0, of: cursor.declaration.kind) }, at: now)
  }

  /// What is to be remembered after a pull. A pull that was cut short leaves things as they are.
  func state(after outcome: Pull.Outcome, hasParents: Bool) throws(ReactorError) -> CursorState {
    var state = state
    let kind = cursor.declaration.kind
    if hasParents {
      for (key, text) in outcome.cursors { try state.advance(key, to: text, of: kind) }
    } else if outcome.cut == nil, let text = outcome.greatest?.text {
      try state.advance(nil, to: text, of: kind)
    }
    return state
  }
}

/// A request of a range, and how those of its further pages are made where their templates use the page.
struct RangeRequest: Sendable {
  var resource: Resource
  var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?
}
