/// A range of cursor values that one request asks for.
struct CursorRange: Sendable, Hashable {
  /// From where on; nil from the beginning.
  var start: CursorValue?
  /// Up to where; nil to the last.
  var end: CursorValue?
}
