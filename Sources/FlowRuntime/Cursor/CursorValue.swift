package import Expressions
package import FlowTerms

/// A value of a cursor's field, in the order of its type.
package enum CursorValue: Sendable, Hashable, Comparable {
  /// Of a timestamp, or the first instant of a date.
  case instant(ExpressionTimestamp)
  case integer(Int64)
  /// By its UTF-8 bytes.
  case text(String)

  /// Nanoseconds of a day.
  static let day: Int64 = 86_400_000_000_000

  /// Reads what a record keeps, or what somebody wrote; nil for what is no value of the kind. A time of day is cut off
  /// where the field is a date.
  package init?(_ text: String, of kind: CursorTerms.Kind) {
    switch kind {
    case .timestamp, .date:
      guard let instant = ExpressionTimestamp(iso8601: text) else { return nil }
      self = .instant(kind == .date ? instant.floored(to: Self.day) : instant)
    case .integer:
      guard let value = Int64(text) else { return nil }
      self = .integer(value)
    case .string:
      guard !text.isEmpty else { return nil }
      self = .text(text)
    }
  }

  /// As a record keeps it.
  func text(of kind: CursorTerms.Kind) -> String {
    switch self {
    case .instant(let instant): kind == .date ? String(instant.text.prefix(10)) : instant.text
    case .integer(let value): String(value)
    case .text(let text): text
    }
  }

  /// The value so much later, or earlier; nil beyond what can be said.
  func moved(by distance: CursorTerms.Distance, backwards: Bool = false) -> CursorValue? {
    switch (self, distance) {
    case (.instant(let instant), .seconds(let seconds)):
      return instant.moved(by: .seconds(backwards ? -seconds : seconds)).map { .instant($0) }
    case (.integer(let value), .count(let count)):
      let (sum, isTooFar) = value.addingReportingOverflow(backwards ? -count : count)
      return isTooFar ? nil : .integer(sum)
    default: return nil
    }
  }

  package static func < (left: CursorValue, right: CursorValue) -> Bool {
    switch (left, right) {
    case (.instant(let left), .instant(let right)): left < right
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}
