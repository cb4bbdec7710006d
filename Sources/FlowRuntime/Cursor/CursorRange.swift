internal import FlowModel

/// The range of cursor values of one request.
struct CursorRange: Sendable, Hashable {
  /// The first value; nil for a range without a start.
  var start: Cursor.Value?
  /// The last value; nil for a range without an end.
  var end: Cursor.Value?
}
