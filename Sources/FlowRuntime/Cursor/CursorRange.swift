internal import FlowModel

/// The range of cursor values of one request.
struct CursorRange: Sendable, Hashable {
  /// The first value of the range; nil for a range without a start.
  var start: Cursor.Value?
  /// The last value of the range; nil for a range without an end.
  var end: Cursor.Value?
}
