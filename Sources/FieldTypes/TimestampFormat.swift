/// The format of a timestamp in a response.
public enum TimestampFormat: Sendable, Hashable {
  /// RFC 3339, or the extended or basic format of ISO 8601, with a time zone.
  case iso8601
  /// Seconds since 1970, with or without a fraction, as a JSON number or as digits in a string.
  case epochSeconds
  /// Milliseconds since 1970, as a JSON number or as digits in a string.
  case epochMilliseconds
  /// A strptime pattern (`%Y %m %d %H %M %S %f %z %b %y %j %p %I %e %T %F %%`).
  ///
  /// A pattern without a time zone means UTC.
  case pattern(String)

  /// Finds the format by its name in flow files: `iso8601`, `epoch_s` or `epoch_ms`. Other texts are patterns.
  public init(_ word: String) {
    switch word {
    case "iso8601": self = .iso8601
    case "epoch_s": self = .epochSeconds
    case "epoch_ms": self = .epochMilliseconds
    default: self = .pattern(word)
    }
  }

  /// Whether the format writes timestamps as numbers.
  public var isEpoch: Bool { self == .epochSeconds || self == .epochMilliseconds }
}
