extension Expression {
  /// A name that an expression takes from its scope, with the members that are looked up in it.
  public struct Reference: Sendable, Hashable {
    /// The name, such as `vars`.
    public let root: String
    /// The members named after it, as far as they are written out: `since` in `vars.since`, none in `vars[key]`.
    public let members: [String]
    /// UTF-8 bytes of the expression's text for the root and each member.
    public let ranges: [Range<Int>]

    /// All bytes from the root to the last member.
    public var range: Range<Int> { (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0) }

    /// The member named right after the root, such as `since` in `vars.since`.
    public var firstMember: String? { members.first }
  }
}
