/// How a timestamp is written in a response.
public enum TimestampFormat: Sendable, Hashable {
  /// RFC 3339 and ISO 8601's extended and basic forms, with a zone.
  case iso8601
  /// Seconds since 1970, integral or with a fraction, as a number or digits.
  case epochSeconds
  /// Milliseconds since 1970, as a number or digits.
  case epochMilliseconds
  /// A strptime pattern (`%Y %m %d %H %M %S %f %z %b %y %j %p %I %e %T %F %%`); UTC when it names no zone.
  case pattern(String)

  /// The format that the language calls so: `iso8601`, `epoch_s`, `epoch_ms`, or a pattern.
  public init(_ word: String) {
    switch word {
    case "iso8601": self = .iso8601
    case "epoch_s": self = .epochSeconds
    case "epoch_ms": self = .epochMilliseconds
    default: self = .pattern(word)
    }
  }

  /// Whether timestamps are written as numbers.
  public var isEpoch: Bool { self == .epochSeconds || self == .epochMilliseconds }
}
