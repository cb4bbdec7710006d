extension Construct {
  /// A key that belongs to the format but comes with a later version; using it is an error of its own, not a typo.
  public struct LaterKey: Sendable {
    /// The key.
    public let name: String
    /// The row of the coverage table it belongs to.
    public let row: Int
    /// What it will declare.
    public let summary: String
    /// What can be done today instead, if anything.
    public let instead: String?

    /// Describes a key to come.
    init(_ name: String, row: Int, _ summary: String, instead: String? = nil) {
      self.name = name
      self.row = row
      self.summary = summary
      self.instead = instead
    }
  }
}
