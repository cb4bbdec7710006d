public import Expressions
public import FlowTerms
public import JSONSyntax
public import SourceDiagnostics

/// The declaration of where and how a flow's result is persisted.
public struct PersistenceDeclaration: Sendable {
  /// The place of a result.
  public enum Target: Sendable {
    /// A file: its path, relative to the output root. The extension determines the format.
    case file(Located<Template>)
    /// A table of a database.
    case table(TableDeclaration)

    /// The path of the file; nil for a table.
    public var path: Located<Template>? { if case .file(let path) = self { path } else { nil } }
    /// The table; nil for a file.
    public var table: TableDeclaration? { if case .table(let table) = self { table } else { nil } }
    /// The source location of the path or of the table's name.
    public var range: SourceRange {
      switch self {
      case .file(let path): path.range
      case .table(let table): table.name.range
      }
    }
  }

  /// The place of the result.
  public var target: Target
  /// Further places, in the order written. Each has the same records after every run.
  public var copies: [Target] = []
  /// The time for which a result may be used, in seconds; nil means no limit.
  public var expiresAfter: Located<Double>?
  /// What happens to the existing records when a new result is persisted.
  public var mode: PersistenceMode
  /// The condition, over the record as received, that is true for a deleted record.
  ///
  /// The keys of deleted records are removed from a merged result.
  public var deleteWhen: Located<Expression>?
  /// The source location of `duplicates: last`, which keeps only the last record of a key; nil if not declared.
  public var keepsLastOnly: SourceRange?
  /// Whether a failed save fails the flow.
  public var failOnSaveError: Bool

  /// Creates a declaration from its properties.
  public init(
    target: Target, expiresAfter: Located<Double>?, mode: PersistenceMode = .replace, failOnSaveError: Bool
  ) {
    self.target = target
    self.expiresAfter = expiresAfter
    self.failOnSaveError = failOnSaveError
    self.mode = mode
  }
}

extension PersistenceDeclaration {
  /// The path of the result; nil for a table.
  public var path: Located<Template>? { target.path }
  /// The table of the result; nil for a file.
  public var table: TableDeclaration? { target.table }
  /// The source location of the path or of the table's name.
  public var range: SourceRange { target.range }
  /// All places, the first one first.
  public var targets: [Target] { [target] + copies }
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
