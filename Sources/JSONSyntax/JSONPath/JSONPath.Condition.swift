extension JSONPath {
  /// A well-typed expression of RFC 9535's LogicalType.
  indirect enum Condition: Sendable {
    /// A test that the query selects at least one node.
    case exists(FilterQuery)
    case comparison(Operand, JSONComparison, Operand)
    case matches(TextTest)
    case not(Condition)
    case all([Condition])
    case any([Condition])
  }

  /// A query inside a filter.
  struct FilterQuery: Sendable {
    /// Whether the query starts with `$` and not with `@`.
    let startsAtRoot: Bool
    let query: Query
  }

  /// An expression of RFC 9535's ValueType: a value or Nothing.
  indirect enum Operand: Sendable {
    case literal(JSONValue)
    case singular(startsAtRoot: Bool, steps: [Step])
    case length(Operand)
    case count(FilterQuery)
    case value(FilterQuery)
  }

  /// A call of `match` (the pattern must match the whole text) or `search` (a part of the text is enough).
  struct TextTest: Sendable {
    let coversWholeText: Bool
    let subject: Operand
    let pattern: Operand
    /// The compiled pattern if it is a literal; nil for other patterns, and for a literal that is not an I-Regexp.
    let compiled: IRegexp?
  }
}
