extension URITemplate {
  /// One variable of an expression.
  struct Variable: Sendable, Hashable {
    /// The name by which the value is asked for.
    var name: String
    /// At most so many characters of the value.
    var prefix: Int?
    /// Whether each item of a list or a map stands on its own (`*`).
    var explodes: Bool
    /// Where the name begins, in bytes.
    var offset: Int
  }
}
