internal import TimeSyntax

/// A header field by which a server sets the wait before the next request.
public struct WaitField: Sendable, Hashable {
  /// The form of the field's value.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A number of seconds, a point in time as a number, or a date; the size of a number decides whether it is a wait
    /// or a point in time.
    case auto
    /// A number of seconds from now.
    case seconds
    /// A number of milliseconds from now.
    case milliseconds
    /// Seconds since 1970.
    case epochSeconds = "epoch_s"
    /// Milliseconds since 1970.
    case epochMilliseconds = "epoch_ms"
    /// A point in time: ISO 8601 with an offset, or a date as in HTTP.
    case time
  }

  /// The name of the field; its case is ignored.
  public var name: String
  /// The form of its value.
  public var format: Format

  /// Creates the description of a header field.
  public init(_ name: String, format: Format = .auto) {
    self.name = name
    self.format = format
  }

  /// The longest wait in the values of the field; nil when no value can be read. A time in the past means no wait.
  ///
  /// - Parameter now: the current time in seconds since 1970
  public func wait(_ values: [String], now: Double) -> Duration? {
    values.compactMap { wait($0, now: now) }.max()
  }

  /// The seconds since 1970 of a point in time.
  private static func point(_ value: String, now: Double) -> Double? {
    if let time = InstantText.instant(value) { return Double(time.secondsSince1970) + Double(time.nanosecond) / 1e9 }
    return HTTPDate.seconds(value, now: RetryAfter.wholeSeconds(now)).map { Double($0) }
  }

  private func wait(_ value: String, now: Double) -> Duration? {
    if format == .auto { return RateLimitHeaders.reset(value, now: now) }
    if format == .time { return Self.point(value, now: now).map { RetryAfter.duration($0 - now) } }
    guard let number = DecimalSeconds.parse(value) else { return nil }
    let seconds =
      switch format {
      case .auto, .seconds, .time: number
      case .milliseconds: number / 1000
      case .epochSeconds: number - now
      case .epochMilliseconds: number / 1000 - now
      }
    return RetryAfter.duration(seconds)
  }
}
