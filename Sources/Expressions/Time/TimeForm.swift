internal import TimeSyntax

/// A format of an instant: ISO 8601, seconds, milliseconds or microseconds since 1970, or a strptime pattern.
enum TimeForm: Sendable {
  case iso8601
  /// ISO 8601; a date and time without a zone is in UTC.
  case iso8601InUTC
  case epochSeconds
  case epochMilliseconds
  case epochMicroseconds
  case pattern(StrptimePattern)

  /// The list of formats, for messages.
  static let expected = "iso8601, iso8601_utc, epoch_s, epoch_ms, epoch_us or a pattern such as %Y-%m-%d"

  /// Creates a format from its name or pattern; nil for an unknown format.
  init?(_ text: String) {
    switch text {
    case "iso8601": self = .iso8601
    case "iso8601_utc": self = .iso8601InUTC
    case "epoch_s": self = .epochSeconds
    case "epoch_ms": self = .epochMilliseconds
    case "epoch_us": self = .epochMicroseconds
    default:
      guard let pattern = StrptimePattern(text) else { return nil }
      self = .pattern(pattern)
    }
  }

  /// Creates a format for writing only: its pattern need not contain a whole date; `%Y` is allowed.
  init?(writing text: String) {
    if let form = TimeForm(text) {
      self = form
    } else {
      guard text.utf8.contains(UInt8(ascii: "%")), let pattern = StrptimePattern(writing: text) else { return nil }
      self = .pattern(pattern)
    }
  }

  /// The instant of a text; nil when the text does not match the format.
  func instant(_ text: String) -> ExpressionTimestamp? {
    switch self {
    case .iso8601: return ExpressionTimestamp(iso8601: text)
    case .iso8601InUTC: return ExpressionTimestamp(iso8601: text) ?? ExpressionTimestamp(iso8601: text + "Z")
    default: break
    }
    var text = text
    let civil: CivilTime? = text.withUTF8 { bytes in
      switch self {
      case .iso8601, .iso8601InUTC: nil
      case .epochSeconds: InstantText.epoch(bytes, unitsPerSecond: 1)
      case .epochMilliseconds: InstantText.epoch(bytes, unitsPerSecond: 1000)
      case .epochMicroseconds: InstantText.epoch(bytes, unitsPerSecond: 1_000_000)
      case .pattern(let pattern): pattern.instant(bytes)
      }
    }
    return civil.flatMap { ExpressionTimestamp($0) }
  }

  /// The text of an instant; nil when seconds or milliseconds cannot represent the instant exactly.
  func text(_ instant: ExpressionTimestamp) -> String? {
    switch self {
    case .iso8601, .iso8601InUTC: return instant.text
    case .epochSeconds: return instant.nanosecond == 0 ? String(instant.secondsSince1970) : nil
    case .epochMilliseconds: return Self.count(instant, unitsPerSecond: 1000)
    case .epochMicroseconds: return Self.count(instant, unitsPerSecond: 1_000_000)
    case .pattern(let pattern): return pattern.text(instant.civil)
    }
  }

  /// The number of units since 1970; nil when it is not whole.
  private static func count(_ instant: ExpressionTimestamp, unitsPerSecond: Int64) -> String? {
    let length = 1_000_000_000 / unitsPerSecond
    guard Int64(instant.nanosecond) % length == 0 else { return nil }
    return String(instant.secondsSince1970 * unitsPerSecond + Int64(instant.nanosecond) / length)
  }
}
