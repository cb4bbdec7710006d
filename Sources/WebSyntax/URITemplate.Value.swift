extension URITemplate {
  /// The value of a variable.
  public enum Value: Sendable, Hashable {
    /// One text.
    case text(String)
    /// Several texts, in order. An empty list counts as no value.
    case list([String])
    /// Names and texts, in order. An empty map counts as no value.
    case map([Entry])

    /// One entry of a map.
    public struct Entry: Sendable, Hashable {
      /// The entry's name.
      public var name: String
      /// The entry's value.
      public var value: String

      /// An entry.
      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }
  }
}
