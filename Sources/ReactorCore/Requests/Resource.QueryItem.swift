extension Resource {
  /// One `name=value` of a query; values are plain text and are percent-encoded when the URL is built.
  public struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    public var name: String
    /// The value, not encoded.
    public var value: String

    /// Builds an item.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
