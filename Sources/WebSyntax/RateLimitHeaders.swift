internal import TimeSyntax

/// What a response says about its rate limit. Servers use several dialects of header fields for this.
///
/// The dialects are read in this order. The first dialect that contains the number of remaining requests is used:
/// 1. `RateLimit`: `"default";r=0;t=30` (structured, one item per policy) or `limit=100, remaining=0, reset=30`;
/// 2. `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`;
/// 3. the same names with `X-RateLimit-` and with `X-Rate-Limit-`.
///
/// Of several policies, the tightest one is used: first the fewest remaining requests, then the longest reset.
///
/// In the drafts, a reset is a number of seconds; large APIs send a point in time instead. The size of the number
/// decides: from 10^11 on, it means milliseconds since 1970; from 10^9 on, seconds since 1970; below that, seconds
/// from now. A date is read as a date.
public struct RateLimitHeaders: Sendable, Hashable {
  /// The number of requests that a window allows; nil when unknown.
  public var limit: Int?
  /// The number of requests that remain in the window; nil when unknown.
  public var remaining: Int?
  /// The time from now until the window ends; nil when unknown.
  public var reset: Duration?

  /// Creates a value from its parts, without header fields.
  public init(limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
  }

  /// Reads the fields of a response; nil when no field is about a rate limit.
  ///
  /// - Parameters:
  ///   - fields: returns the values of all fields with a name, ignoring case
  ///   - now: the current time in seconds since 1970
  public init?(now: Double, fields: (String) -> [String]) {
    let candidates =
      [RateLimitField.tightest(of: fields("RateLimit"), now: now)]
      + Self.prefixes.map { Self.separate(prefix: $0, now: now, fields: fields) }
    let found = candidates.compactMap { $0 }
    guard let best = found.first(where: { $0.remaining != nil }) ?? found.first else { return nil }
    self = best
  }

  /// Whether a field with this name may belong to a rate limit. Callers use this check to skip other responses
  /// quickly.
  public static func mayBe(_ name: String) -> Bool {
    // The first letter excludes nearly all other names.
    guard let first = name.utf8.first, first | 0x20 == UInt8(ascii: "r") || first | 0x20 == UInt8(ascii: "x") else {
      return false
    }
    let start = name.utf8.prefix(6)
    return start.elementsEqual("RateLi".utf8, by: { $0 | 0x20 == $1 | 0x20 })
      || start.elementsEqual("X-Rate".utf8, by: { $0 | 0x20 == $1 | 0x20 })
  }

  /// Whether no request remains.
  ///
  /// - Parameter status: the status of the response; if no field contains the number of remaining requests, 429 means
  ///   that none remains
  public func isExhausted(on status: Int) -> Bool { remaining.map { $0 <= 0 } ?? (status == 429) }

  /// The prefixes of the dialects in which each number has its own field, such as `RateLimit-Remaining`.
  private static let prefixes = ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"]

  /// Throws an error if a field such as `RateLimit-Reset` has a value that cannot be parsed.
  ///
  /// - Parameter fields: returns the values of all fields with a name, ignoring case
  public static func checkReset(fields: (String) -> [String]) throws(LimitFields.Unreadable) {
    for name in prefixes.map({ $0 + "Reset" }) {
      for value in fields(name) where !value.isEmpty && reset(value, now: 0) == nil {
        throw LimitFields.Unreadable(name, value, "a number or a date")
      }
    }
  }

  private static func separate(prefix: String, now: Double, fields: (String) -> [String]) -> RateLimitHeaders? {
    func numbers(_ name: String) -> [Int] {
      // `100, 100;w=60` contains first the limit in force and then the policies.
      fields(prefix + name).compactMap { field in
        DecimalSeconds.parse(field.prefix { $0 != "," && $0 != ";" }).map { Int(min($0, 1e15)) }
      }
    }
    let resets = fields(prefix + "Reset").compactMap { reset($0, now: now) }
    let statement = RateLimitHeaders(
      limit: numbers("Limit").first, remaining: numbers("Remaining").min(), reset: resets.max())
    return statement == RateLimitHeaders() ? nil : statement
  }

  /// Parses the value of a field such as `RateLimit-Reset`: returns the time from now until the window ends.
  static func reset(_ text: some StringProtocol, now: Double) -> Duration? {
    guard let number = DecimalSeconds.parse(text) else {
      return HTTPDate.seconds(String(text), now: RetryAfter.wholeSeconds(now)).map {
        RetryAfter.duration(Double($0) - now)
      }
    }
    if number >= 1e11 { return RetryAfter.duration(number / 1000 - now) }
    if number >= 1e9 { return RetryAfter.duration(number - now) }
    return RetryAfter.duration(number)
  }
}
