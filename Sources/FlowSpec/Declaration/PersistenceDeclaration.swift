public import Expressions
public import FlowTerms
public import JSONSyntax

/// Where and how a flow's result is persisted.
public struct PersistenceDeclaration: Sendable {
  /// The output path, relative to the root; its extension names the format.
  public let path: Located<Template>
  /// How long a result may be used, in seconds; nil: no limit.
  public let expiresAfter: Located<Double>?
  /// What happens to the existing records.
  public let mode: PersistenceMode
  /// The condition for deleted records, over the record as received; their keys are removed from a merged result.
  public let deleteWhen: Located<Expression>?
  /// Whether a failed save fails the flow.
  public let failOnSaveError: Bool

  /// Joins the parts.
  public init(
    path: Located<Template>, expiresAfter: Located<Double>?, mode: PersistenceMode = .replace,
    deleteWhen: Located<Expression>? = nil, failOnSaveError: Bool
  ) {
    self.deleteWhen = deleteWhen
    self.path = path
    self.expiresAfter = expiresAfter
    self.failOnSaveError = failOnSaveError
    self.mode = mode
  }
}

/// The conditions for a flow to pass.
public struct ExpectDeclaration: Sendable {
  /// The minimum number of records.
  public var min: Located<Int>?
  /// The maximum number of records.
  public var max: Located<Int>?
  /// Where the number of records is in the response.
  public var total: Located<JSONPath>?
  /// The maximum number of records that may be pruned.
  public var maxRejected: Located<Int>?
  /// Statuses that mean success; empty means 200–299.
  public var status: [ClosedRange<Int>] = []

  /// Expects nothing but success.
  public init() {}
}

/// How a flow's recordings and goldens are compared.
public struct FixtureDeclaration: Sendable {
  /// Paths in a record, with the rule before a comparison: `any(uuid)`, `round(2)`, `sort`.
  public var masks: [(path: Located<JSONPath>, rule: String)] = []
  /// Request headers that must match.
  public var headers: [String] = []
  /// Query parameters that are ignored.
  public var ignoredQuery: [String] = []
  /// Whether the body is ignored.
  public var ignoresBody = false
  /// Whether the last recording of a request is used any number of times.
  public var repeats = false
  /// The maximum age of a recording, in seconds; nil: no limit.
  public var maxAge: Double?

  /// The default: nothing masked; method, address, query and body must match.
  public init() {}

  /// Whether a text is a rule of a mask.
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
