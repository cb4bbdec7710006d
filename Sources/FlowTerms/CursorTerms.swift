/// What a cursor's field holds and how its values are asked for.
public enum CursorTerms {
  /// What the field's values are.
  public enum Kind: String, Sendable, Hashable {
    case timestamp, date, integer, string
  }

  /// Which values at the ends of a range the server gives.
  public enum Bounds: String, Sendable, Hashable, CaseIterable {
    case closedOpen = "[)"
    case closed = "[]"
    case openClosed = "(]"
    case open = "()"

    /// Whether a record at the start is given.
    public var includesStart: Bool { self == .closedOpen || self == .closed }
    /// Whether a record at the end is given.
    public var includesEnd: Bool { self == .closed || self == .openClosed }
  }

  /// A distance between two values.
  public enum Distance: Sendable, Hashable {
    /// For times.
    case seconds(Double)
    /// For integers.
    case count(Int64)
  }
}
