/// The format of a timestamp in a response.
public enum TimestampFormat: Sendable, Hashable {
  /// RFC 3339, or the extended or basic format of ISO 8601, with a time zone.
  case iso8601
  /// The formats of `iso8601`, and also without a time zone, which then means UTC.
  case iso8601InUTC
  /// Seconds since 1970, with or without a fraction, as a JSON number or as digits in a string.
  case epochSeconds
  /// Milliseconds since 1970, as a JSON number or as digits in a string.
  case epochMilliseconds
  /// Microseconds since 1970, as a JSON number or as digits in a string.
  case epochMicroseconds
  /// Several formats. The first one that a value matches is used; values are written in the first format.
  case anyOf([TimestampFormat])
  /// A strptime pattern (`%Y %m %d %H %M %S %f %z %b %y %j %p %I %e %T %F %%`).
  ///
  /// A pattern without a time zone means UTC.
  case pattern(String)

  /// Finds the format by its name in flow files: `iso8601`, `iso8601_utc`, `epoch_s`, `epoch_ms` or `epoch_us`. Other
  /// texts are patterns.
  public init(_ word: String) {
    switch word {
    case "iso8601": self = .iso8601
    case "iso8601_utc": self = .iso8601InUTC
    case "epoch_s": self = .epochSeconds
    case "epoch_ms": self = .epochMilliseconds
    case "epoch_us": self = .epochMicroseconds
    default: self = .pattern(word)
    }
  }

  /// The formats as flow files name them, in order.
  public var words: String {
    switch self {
    case .iso8601: "iso8601"
    case .iso8601InUTC: "iso8601_utc"
    case .epochSeconds: "epoch_s"
    case .epochMilliseconds: "epoch_ms"
    case .epochMicroseconds: "epoch_us"
    case .pattern(let pattern): pattern
    case .anyOf(let formats): formats.map(\.words).joined(separator: ", else ")
    }
  }

  /// Whether timestamps can be numbers in the format.
  public var isEpoch: Bool {
    switch self {
    case .epochSeconds, .epochMilliseconds, .epochMicroseconds: true
    case .anyOf(let formats): formats.contains { $0.isEpoch }
    case .iso8601, .iso8601InUTC, .pattern: false
    }
  }
}
