internal import FieldTypes
internal import JSONSyntax
internal import TimeSyntax

/// The conversion of a persisted timestamp to the format of the payload.
struct WrittenTimestamp: Sendable {
  private enum Form: Sendable {
    case epoch(unitsPerSecond: Int)
    case pattern(StrptimePattern)
  }

  private let form: Form

  /// Creates a conversion; nil for ISO 8601, which is already the persisted format.
  init?(_ format: TimestampFormat) {
    guard let form = Self.form(format) else { return nil }
    self.form = form
  }

  private static func form(_ format: TimestampFormat) -> Form? {
    switch format {
    case .iso8601, .iso8601InUTC: nil
    case .epochSeconds: .epoch(unitsPerSecond: 1)
    case .epochMilliseconds: .epoch(unitsPerSecond: 1000)
    case .epochMicroseconds: .epoch(unitsPerSecond: 1_000_000)
    case .pattern(let text): StrptimePattern(text).map { .pattern($0) }
    case .anyOf(let formats): formats.first.flatMap { form($0) }
    }
  }

  /// A persisted timestamp in the payload's format; nil for a text that is not a timestamp.
  func written(_ persisted: String) -> JSONValue? {
    guard let time = Array(persisted.utf8).withUnsafeBufferPointer({ ISO8601.instant($0) }) else { return nil }
    switch form {
    case .epoch(let units): return .number(JSONNumber(validated: Self.count(time, units)))
    case .pattern(let pattern): return .string(pattern.text(time))
    }
  }

  /// The exact number of units since 1970 as a decimal number: `1700000000.25`.
  private static func count(_ time: CivilTime, _ units: Int) -> String {
    let (seconds, nanosecond) = (time.secondsSince1970, time.nanosecond)
    let perUnit = 1_000_000_000 / units
    // Before 1970 the seconds are rounded down, so the fraction is subtracted from the next second.
    let isNegative = seconds < 0
    let whole = isNegative && nanosecond > 0 ? -(seconds + 1) : abs(seconds)
    let rest = isNegative && nanosecond > 0 ? 1_000_000_000 - nanosecond : nanosecond
    let count = whole * Int64(units) + Int64(rest / perUnit)
    var text = (isNegative && (count > 0 || rest % perUnit > 0) ? "-" : "") + String(count)
    var fraction = rest % perUnit
    guard fraction > 0 else { return text }
    var digits = String(perUnit).count - 1
    while fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    let written = String(fraction)
    text += "." + String(repeating: "0", count: digits - written.count) + written
    return text
  }
}
