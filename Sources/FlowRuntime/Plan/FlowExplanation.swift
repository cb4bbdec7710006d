/// A description of a flow's steps, as pairs of a heading and a text.
public struct FlowExplanation: Sendable {
  /// One line of the explanation.
  public struct Item: Sendable {
    /// The subject of the line: `request`, `records`, `schema`, …
    public var heading: String
    /// The facts, with secrets masked. The text may have several lines.
    public var text: String

    /// Builds an item.
    public init(_ heading: String, _ text: String) {
      self.heading = heading
      self.text = text
    }
  }

  /// The lines, in the order in which the flow works.
  public var items: [Item]

  /// Builds an explanation.
  public init(_ items: [Item]) { self.items = items }
}
