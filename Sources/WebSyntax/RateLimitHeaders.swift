internal import TimeSyntax

/// What a response says about its rate limit, in the dialects that servers speak.
///
/// Read in this order, the first that says what remains counts:
/// 1. `RateLimit`: `"default";r=0;t=30` (structured, one item per policy) or `limit=100, remaining=0, reset=30`;
/// 2. `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`;
/// 3. the same with `X-RateLimit-` and with `X-Rate-Limit-`.
///
/// Of several policies the tightest counts: the one with the fewest remaining requests, then the longest reset.
///
/// A reset is a number of seconds by the drafts, and a time of day by the habit of large APIs. It is guessed by size:
/// from 10^11 on milliseconds since 1970, from 10^9 on seconds since 1970, below that seconds from now; a date is a
/// date.
public struct RateLimitHeaders: Sendable, Hashable {
  /// Requests allowed in a window; nil where unknown.
  public var limit: Int?
  /// Requests left in the window; nil where unknown.
  public var remaining: Int?
  /// When the window ends, from now on; nil where unknown.
  public var reset: Duration?

  /// A statement of given parts.
  public init(limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
  }

  /// Reads a response's fields; nil when it says nothing about a rate limit.
  ///
  /// - Parameters:
  ///   - fields: the values of all fields of a name, in any case.
  ///   - now: the time of day in seconds since 1970.
  public init?(now: Double, fields: (String) -> [String]) {
    let candidates =
      [RateLimitField.tightest(of: fields("RateLimit"), now: now)]
      + ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"].map { Self.separate(prefix: $0, now: now, fields: fields) }
    let found = candidates.compactMap { $0 }
    guard let best = found.first(where: { $0.remaining != nil }) ?? found.first else { return nil }
    self = best
  }

  /// Whether a field of a name may be one of them, for skipping other responses quickly.
  public static func mayBe(_ name: String) -> Bool {
    // The first letter rules out nearly all names.
    guard let first = name.utf8.first, first | 0x20 == UInt8(ascii: "r") || first | 0x20 == UInt8(ascii: "x") else {
      return false
    }
    let start = name.utf8.prefix(6)
    return start.elementsEqual("RateLi".utf8, by: { $0 | 0x20 == $1 | 0x20 })
      || start.elementsEqual("X-Rate".utf8, by: { $0 | 0x20 == $1 | 0x20 })
  }

  /// Whether the budget is used up.
  ///
  /// - Parameter status: of the response; 429 says so itself where no field says what remains
  public func isExhausted(on status: Int) -> Bool { remaining.map { $0 <= 0 } ?? (status == 429) }

  private static func separate(prefix: String, now: Double, fields: (String) -> [String]) -> RateLimitHeaders? {
    func numbers(_ name: String) -> [Int] {
      // `100, 100;w=60` lists the limit in force first and the policies after it.
      fields(prefix + name).compactMap { field in
        DecimalSeconds.parse(field.prefix { $0 != "," && $0 != ";" }).map { Int(min($0, 1e15)) }
      }
    }
    let resets = fields(prefix + "Reset").compactMap { reset($0, now: now) }
    let statement = RateLimitHeaders(
      limit: numbers("Limit").first, remaining: numbers("Remaining").min(), reset: resets.max())
    return statement == RateLimitHeaders() ? nil : statement
  }

  /// The end of a window from now on, out of what a field says.
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
