internal import JSONSyntax

/// The part of the data that a request is for. It is stored with rejected records, so that they can be requested again.
struct RequestedPart: Sendable {
  /// The range of the cursor's values; nil for a flow without a cursor.
  var range: CursorRange?
  /// The parents' records by name; nil for a flow without parents.
  var parents: JSONValue?
}
