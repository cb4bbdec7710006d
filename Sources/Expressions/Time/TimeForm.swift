internal import TimeSyntax

/// How an instant is written: ISO 8601, seconds or milliseconds since 1970, or a strptime pattern.
enum TimeForm: Sendable {
  case iso8601
  case epochSeconds
  case epochMilliseconds
  case pattern(StrptimePattern)

  /// What may be written for one, for messages.
  static let expected = "iso8601, epoch_s, epoch_ms or a pattern such as %Y-%m-%d"

  /// Nil when it is no known form.
  init?(_ text: String) {
    switch text {
    case "iso8601": self = .iso8601
    case "epoch_s": self = .epochSeconds
    case "epoch_ms": self = .epochMilliseconds
    default:
      guard let pattern = StrptimePattern(text) else { return nil }
      self = .pattern(pattern)
    }
  }

  /// A form that is only written with: a pattern need not name a whole day, as in `%Y`.
  init?(writing text: String) {
    if let form = TimeForm(text) {
      self = form
    } else {
      guard text.utf8.contains(UInt8(ascii: "%")), let pattern = StrptimePattern(writing: text) else { return nil }
      self = .pattern(pattern)
    }
  }

  /// The instant that a text names, nil when it does not fit.
  func instant(_ text: String) -> ExpressionTimestamp? {
    if case .iso8601 = self { return ExpressionTimestamp(iso8601: text) }
    var text = text
    let civil: CivilTime? = text.withUTF8 { bytes in
      switch self {
      case .iso8601: nil
      case .epochSeconds: InstantText.epoch(bytes, unitsPerSecond: 1)
      case .epochMilliseconds: InstantText.epoch(bytes, unitsPerSecond: 1000)
      case .pattern(let pattern): pattern.instant(bytes)
      }
    }
    return civil.flatMap { ExpressionTimestamp($0) }
  }

  /// The text of an instant; nil when seconds or milliseconds cannot say it exactly.
  func text(_ instant: ExpressionTimestamp) -> String? {
    switch self {
    case .iso8601: return instant.text
    case .epochSeconds: return instant.nanosecond == 0 ? String(instant.secondsSince1970) : nil
    case .epochMilliseconds:
      guard instant.nanosecond % 1_000_000 == 0 else { return nil }
      return String(instant.secondsSince1970 * 1000 + Int64(instant.nanosecond / 1_000_000))
    case .pattern(let pattern): return pattern.text(instant.civil)
    }
  }
}
