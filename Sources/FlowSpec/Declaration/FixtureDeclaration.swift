public import JSONSyntax

/// How a flow's recordings and goldens are compared.
public struct FixtureDeclaration: Sendable {
  /// Places in a record, and what is done there before it is compared: `any(uuid)`, `round(2)`, `sort`.
  public var masks: [(path: Located<JSONPath>, rule: String)] = []
  /// Request headers that count for a match.
  public var headers: [String] = []
  /// Query parameters that do not.
  public var ignoredQuery: [String] = []
  /// Whether the body does not.
  public var ignoresBody = false
  /// Whether the last recording of a request answers it any number of times.
  public var repeats = false
  /// How old a recording may become, in seconds; nil is for ever.
  public var maxAge: Double?

  /// The usual: nothing masked; method, address, query and body count.
  public init() {}

  /// Whether a mask's rule is one.
  public static func isRule(_ text: String) -> Bool {
    if text == "sort" { return true }
    if text.hasPrefix("any("), text.hasSuffix(")") { return kinds.contains(String(text.dropFirst(4).dropLast())) }
    guard text.hasPrefix("round("), text.hasSuffix(")"), let decimals = Int(text.dropFirst(6).dropLast()) else {
      return false
    }
    return (0...12).contains(decimals)
  }

  /// The kinds of values that `any` takes.
  static let kinds = ["value", "string", "number", "integer", "boolean", "uuid", "timestamp", "date", "url"]
}
