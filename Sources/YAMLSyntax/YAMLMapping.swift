/// Ordered pairs with unique scalar keys.
public struct YAMLMapping: Sendable {
  /// A key and its value.
  public struct Entry: Sendable {
    /// The key as a node, for its range.
    public let key: YAMLNode
    /// The value.
    public let value: YAMLNode

    /// Builds an entry.
    public init(key: YAMLNode, value: YAMLNode) {
      self.key = key
      self.value = value
    }

    /// The key's text; empty for a key that is none.
    public var name: String { if case .scalar(let scalar) = key.content { scalar.text } else { "" } }
  }

  /// In the order written, merged keys after the mapping's own.
  public let entries: [Entry]

  /// Builds a mapping; keys must be unique.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// The value of a key, if present. Linear in the number of entries.
  public subscript(_ name: String) -> YAMLNode? { entries.first { $0.name == name }?.value }
}
