internal import JSONSyntax

/// What a request asks for, as far as its rejected records need it to be asked for again.
struct RequestedPart: Sendable {
  /// The range of the cursor's values; nil for a flow without a cursor.
  var range: CursorRange?
  /// The parents' records by name; nil for a flow without parents.
  var parents: JSONValue?
}
