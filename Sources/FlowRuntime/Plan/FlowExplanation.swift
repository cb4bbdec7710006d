/// What a flow would do, in order: pairs of a heading and its text, ready to be shown.
public struct FlowExplanation: Sendable {
  /// One line of the explanation.
  public struct Item: Sendable {
    /// What it is about: `request`, `records`, `schema`, …
    public var heading: String
    /// The facts, secrets masked; may have several lines.
    public var text: String

    /// Builds an item.
    public init(_ heading: String, _ text: String) {
      self.heading = heading
      self.text = text
    }
  }

  /// In the order in which the flow works.
  public var items: [Item]

  /// Builds an explanation.
  public init(_ items: [Item]) { self.items = items }
}
