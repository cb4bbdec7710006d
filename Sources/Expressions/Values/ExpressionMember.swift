/// A name and its value in a map that an expression created.
public struct ExpressionMember: Sendable, Hashable {
  /// The member's name.
  public var name: String
  /// The member's value.
  public var value: ExpressionValue

  /// Creates a member.
  public init(_ name: String, _ value: ExpressionValue) {
    self.name = name
    self.value = value
  }
}
