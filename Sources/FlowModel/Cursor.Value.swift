public import Expressions

extension Cursor {
  /// A value of a cursor's field. Values are ordered by the rules of their type.
  public enum Value: Sendable, Hashable, Comparable {
    /// A timestamp, or the first instant of a date.
    case instant(ExpressionTimestamp)
    /// An integer.
    case integer(Int64)
    /// A text, ordered by its UTF-8 bytes; or a token, which has no order.
    case text(String)

    /// The length of a day, in nanoseconds.
    public static let day: Int64 = 86_400_000_000_000

    /// Reads a value from a record or from user input; nil when the text is not a value of the kind.
    ///
    /// For a date field, a time of day is dropped.
    public init?(_ text: String, of kind: Kind) {
      switch kind {
      case .timestamp, .date:
        guard let instant = ExpressionTimestamp(iso8601: text) else { return nil }
        self = .instant(kind == .date ? instant.floored(to: Self.day) : instant)
      case .integer:
        guard let value = Int64(text) else { return nil }
        self = .integer(value)
      case .string, .token:
        guard !text.isEmpty else { return nil }
        self = .text(text)
      }
    }

    /// The value as text, in the format of the records.
    public func text(of kind: Kind) -> String {
      switch self {
      case .instant(let instant): kind == .date ? String(instant.text.prefix(10)) : instant.text
      case .integer(let value): String(value)
      case .text(let text): text
      }
    }

    /// The value at a distance after this one, or before it if `backwards` is true; nil when it cannot be represented.
    public func moved(by distance: Distance, backwards: Bool = false) -> Value? {
      switch (self, distance) {
      case (.instant(let instant), .seconds(let seconds)):
        return instant.moved(by: .seconds(backwards ? -seconds : seconds)).map { .instant($0) }
      case (.instant(let instant), .months(let months)):
        return instant.moved(months: backwards ? -months : months).map { .instant($0) }
      case (.integer(let value), .count(let count)):
        let (sum, isTooFar) = value.addingReportingOverflow(backwards ? -count : count)
        return isTooFar ? nil : .integer(sum)
      default: return nil
      }
    }

    /// The start of the next period of the calendar in UTC, such as the next month; nil when the value is not a time.
    public func next(_ period: CalendarPeriod) -> Value? {
      guard case .instant(let instant) = self else { return nil }
      let next: ExpressionTimestamp? =
        switch period {
        case .day: instant.floored(to: Self.day).moved(by: .seconds(86_400))
        case .week: Self.monday(of: instant).moved(by: .seconds(7 * 86_400))
        case .month: instant.nextPeriod(ofMonths: 1)
        case .quarter: instant.nextPeriod(ofMonths: 3)
        case .year: instant.nextPeriod(ofMonths: 12)
        }
      return next.map { .instant($0) }
    }

    /// The first instant of the week of an instant. 1970-01-05 was a Monday.
    private static func monday(of instant: ExpressionTimestamp) -> ExpressionTimestamp {
      let days: Duration = .seconds(4 * 86_400)
      return instant.moved(by: .zero - days)?.floored(to: 7 * day).moved(by: days) ?? instant
    }

    /// Compares two values of one kind.
    public static func < (left: Value, right: Value) -> Bool {
      switch (left, right) {
      case (.instant(let left), .instant(let right)): left < right
      case (.integer(let left), .integer(let right)): left < right
      case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
      default: false
      }
    }
  }
}
