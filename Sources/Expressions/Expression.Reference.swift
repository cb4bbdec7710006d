extension Expression {
  /// A name that an expression takes from its scope, with the members of its lookup.
  public struct Reference: Sendable, Hashable {
    /// The name, such as `vars`.
    public let root: String
    /// The literal member names after the root: `since` in `vars.since`, none in `vars[key]`.
    public let members: [String]
    /// The ranges of the root and of each member, in UTF-8 bytes of the expression's text.
    public let ranges: [Range<Int>]

    /// The range from the root to the last member.
    public var range: Range<Int> { (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0) }

    /// The first member after the root, such as `since` in `vars.since`.
    public var firstMember: String? { members.first }
  }
}
