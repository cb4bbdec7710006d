package import FlowModel
package import JSONSyntax

/// The rules for comparing a flow's requests with recordings and its records with goldens.
package struct FixtureDeclaration: Sendable {
  /// The rules that are applied to members of a record before it is compared with a golden, with the members' paths.
  ///
  /// The rules are `sort`, `round(N)` with a number of decimals, and `any(KIND)` with a kind of value, such as `uuid`.
  package var masks: [(path: Located<JSONPath>, rule: String)] = []
  /// The request headers that must match.
  package var headers: [String] = []
  /// The query parameters that are ignored.
  package var ignoredQuery: [String] = []
  /// Whether the request body is ignored.
  package var ignoresBody = false
  /// Whether the last recording of a request may be used any number of times.
  package var repeats = false
  /// The maximum age of a recording, in seconds; nil means no limit.
  package var maxAge: Double?

  /// Creates the default: no masks; method, address, query and body must match.
  package init() {}

  /// Whether a text is a valid rule of a mask.
  package static func isRule(_ text: String) -> Bool {
    if text == "sort" { return true }
    if text.hasPrefix("any("), text.hasSuffix(")") { return kinds.contains(String(text.dropFirst(4).dropLast())) }
    guard text.hasPrefix("round("), text.hasSuffix(")"), let decimals = Int(text.dropFirst(6).dropLast()) else {
      return false
    }
    return (0...12).contains(decimals)
  }

  /// The kinds of values that `any` accepts.
  static let kinds = ["value", "string", "number", "integer", "boolean", "uuid", "timestamp", "date", "url"]
}
