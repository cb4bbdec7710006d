/// A stretch of a cursor's values that is asked for at once.
struct CursorRange: Sendable, Hashable {
  /// From where on; nil from the beginning.
  var start: CursorValue?
  /// Up to where; nil to the last.
  var end: CursorValue?
}
