public import Expressions
public import FlowTerms
public import JSONSyntax

/// The declaration of where and how a flow's result is persisted.
public struct PersistenceDeclaration: Sendable {
  /// The output path, relative to the output root. Its extension determines the format.
  public let path: Located<Template>
  /// The time for which a result may be used, in seconds; nil means no limit.
  public let expiresAfter: Located<Double>?
  /// What happens to the existing records when a new result is persisted.
  public let mode: PersistenceMode
  /// The condition, over the record as received, that is true for a deleted record.
  ///
  /// The keys of deleted records are removed from a merged result.
  public let deleteWhen: Located<Expression>?
  /// Whether a failed save fails the flow.
  public let failOnSaveError: Bool

  /// Creates a declaration from its properties.
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

/// The conditions that a flow's result must meet.
public struct ExpectDeclaration: Sendable {
  /// The minimum number of records.
  public var min: Located<Int>?
  /// The maximum number of records.
  public var max: Located<Int>?
  /// The path to the number of records in the response.
  public var total: Located<JSONPath>?
  /// The maximum number of records that may be pruned.
  public var maxRejected: Located<Int>?
  /// The statuses that mean success. An empty list means 200–299.
  public var status: [ClosedRange<Int>] = []

  /// Creates a declaration whose only condition is success.
  public init() {}
}

/// The rules for comparing a flow's requests with recordings and its records with goldens.
public struct FixtureDeclaration: Sendable {
  /// The rules that are applied to members of a record before a comparison, with the members' paths.
  ///
  /// The rules are `sort`, `round(2)` and `any(uuid)`, with other numbers and kinds of values.
  public var masks: [(path: Located<JSONPath>, rule: String)] = []
  /// The request headers that must match.
  public var headers: [String] = []
  /// The query parameters that are ignored.
  public var ignoredQuery: [String] = []
  /// Whether the request body is ignored.
  public var ignoresBody = false
  /// Whether the last recording of a request may be used any number of times.
  public var repeats = false
  /// The maximum age of a recording, in seconds; nil means no limit.
  public var maxAge: Double?

  /// Creates the default: no masks; method, address, query and body must match.
  public init() {}

  /// Whether a text is a valid rule of a mask.
  public static func isRule(_ text: String) -> Bool {
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
