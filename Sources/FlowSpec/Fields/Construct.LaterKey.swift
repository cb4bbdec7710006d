extension Construct {
  /// A key that belongs to the format but comes with a later version; using it is an error of its own, not a typo.
  public struct LaterKey: Sendable {
    /// The key.
    public let name: String
    /// What it will declare.
    public let summary: String
    /// What can be done today instead, if anything.
    public let instead: String?

    /// Describes a key to come.
    init(_ name: String, _ summary: String, instead: String? = nil) {
      self.name = name
      self.summary = summary
      self.instead = instead
    }
  }
}
