extension JSONPath {
  /// One step of a singular path: at most one node can match.
  public enum Step: Sendable, Hashable {
    /// The member with this name.
    case name(String)
    /// The element with this index; negative counts from the end.
    case index(Int)
  }
}
