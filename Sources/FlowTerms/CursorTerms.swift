/// The value types of a cursor field, and how ranges of its values are requested.
public enum CursorTerms {
  /// The type of the field's values.
  public enum Kind: String, Sendable, Hashable {
    case timestamp, date, integer, string
  }

  /// Which ends of a requested range the server includes in its response.
  public enum Bounds: String, Sendable, Hashable, CaseIterable {
    case closedOpen = "[)"
    case closed = "[]"
    case openClosed = "(]"
    case open = "()"

    /// Whether the response includes a record whose value equals the start.
    public var includesStart: Bool { self == .closedOpen || self == .closed }
    /// Whether the response includes a record whose value equals the end.
    public var includesEnd: Bool { self == .closed || self == .openClosed }
  }

  /// How the rest of a range is requested of which the server gives only a part.
  public enum AtCap: String, Sendable, Hashable, CaseIterable {
    /// A new range begins at the greatest value so far. The records are in ascending order.
    case restart
    /// The two halves of the range are requested instead of it.
    case halve
  }

  /// A distance between two values of the field.
  public enum Distance: Sendable, Hashable {
    /// A distance between two times, in seconds.
    case seconds(Double)
    /// A distance between two times, in months of the calendar.
    case months(Int)
    /// A distance between two integers.
    case count(Int64)
  }

  /// The parts into which a long range is cut.
  public enum Slice: Sendable, Hashable {
    /// Parts of one length, counted from the start of the range.
    case length(Distance)
    /// The days, weeks, months, quarters or years of the calendar, in UTC. The first and the last part may be shorter.
    case calendar(CalendarPeriod)
  }

  /// A period of the calendar, in UTC. A week begins on Monday.
  public enum CalendarPeriod: String, Sendable, Hashable, CaseIterable {
    case day, week, month, quarter, year
  }
}
