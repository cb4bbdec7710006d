extension Headers {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value without surrounding white space.
    public var value: String

    /// Builds a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
