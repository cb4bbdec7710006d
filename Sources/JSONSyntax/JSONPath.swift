/// An RFC 9535 query, checked when it is built.
///
/// ```swift
/// let path = try JSONPath(parsing: "$.orders[?@.total > 100].id")
/// let ids = path.values(in: try JSONValue(parsing: text))
/// ```
///
/// A query is at most ``maximumLength`` UTF-8 bytes long and nests filters, groups and function calls at most
/// ``maximumDepth`` deep. Two queries are equal when they are written alike.
public struct JSONPath: Sendable {
  /// One step of a singular path: at most one node can match.
  public enum Step: Sendable, Hashable {
    /// The member with this name.
    case name(String)
    /// The element with this index; negative counts from the end.
    case index(Int)
  }

  /// UTF-8 bytes that a query may have.
  public static let maximumLength = 65_536

  /// How deep filters, parentheses and function calls may nest.
  public static let maximumDepth = 50

  /// The query as written.
  public let text: String

  /// Warnings about what is allowed but probably wrong, such as a pattern that can never match because it is not an I-Regexp.
  public let warnings: [JSONPathError]

  let query: Query

  /// Parses and type-checks a query.
  public init(parsing text: String) throws(JSONPathError) {
    var parser = try JSONPathParser(text)
    self.query = try parser.parse()
    self.text = text
    self.warnings = parser.warnings
  }

  init(text: String, query: Query) {
    self.text = text
    self.query = query
    self.warnings = []
  }

  /// The steps when the query is singular (RFC 9535, section 2.3.5.1), else nil; `$` gives no steps.
  public var singularSteps: [Step]? { query.singularSteps }

  /// The steps before a final `[*]` when all before it is singular, else nil: what can be read as a stream.
  public var elementSteps: [Step]? {
    guard let last = query.segments.last, !last.reachesDescendants, last.selectors.count == 1,
      case .wildcard = last.selectors[0]
    else { return nil }
    return Query(segments: Array(query.segments.dropLast())).singularSteps
  }
}

extension JSONPath: Hashable {
  /// Whether both are written with the same Unicode scalars.
  public static func == (left: JSONPath, right: JSONPath) -> Bool { left.text.hasSameScalars(as: right.text) }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSONPath: CustomStringConvertible {
  /// The query as written.
  public var description: String { text }
}
