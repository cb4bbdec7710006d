/// An RFC 9535 query, checked when it is created.
///
/// ```swift
/// let path = try JSONPath(parsing: "$.orders[?@.total > 100].id")
/// let ids = try path.values(in: JSONValue(parsing: text))
/// ```
///
/// A query has at most ``maximumLength`` UTF-8 bytes. It nests filters, groups and function calls at most
/// ``maximumDepth`` deep. Two queries are equal when their texts are the same.
public struct JSONPath: Sendable {
  /// One step of a singular path: it selects at most one node.
  public enum Step: Sendable, Hashable {
    /// The member with this name.
    case name(String)
    /// The element with this index; a negative index counts from the end.
    case index(Int)
  }

  /// The maximum length of a query in UTF-8 bytes.
  public static let maximumLength = 65_536

  /// The maximum nesting of filters, parentheses and function calls.
  public static let maximumDepth = 50

  /// The query as written.
  public let text: String

  /// Warnings about valid parts that are probably wrong.
  ///
  /// An example is a pattern that is not an I-Regexp and therefore never matches.
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

  /// The steps of a singular query (RFC 9535, section 2.3.5.1); nil for other queries. `$` has no steps.
  public var singularSteps: [Step]? { query.singularSteps }

  /// The steps before a final `[*]` if each is one name or index; otherwise nil. The elements that such a query selects
  /// can be decoded one by one while the text is read.
  public var elementSteps: [Step]? {
    guard let last = query.segments.last, !last.reachesDescendants, last.selectors.count == 1,
      case .wildcard = last.selectors[0]
    else { return nil }
    return Query(segments: Array(query.segments.dropLast())).singularSteps
  }
}

extension JSONPath: Hashable {
  /// Whether the texts of both queries have the same Unicode scalars.
  public static func == (left: JSONPath, right: JSONPath) -> Bool { left.text.hasSameScalars(as: right.text) }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSONPath: CustomStringConvertible {
  /// The query as written.
  public var description: String { text }
}
