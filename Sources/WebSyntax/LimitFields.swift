/// The header fields with which a server reports its rate limit under its own names.
public struct LimitFields: Sendable, Hashable {
  /// The error for a field whose value has an unexpected form.
  public struct Unreadable: Error, Hashable {
    /// The name of the field.
    public let name: String
    /// The value, at most 60 characters of it.
    public let value: String
    /// The form that was expected, for example `a number`.
    public let expected: String

    init(_ name: String, _ value: String, _ expected: String) {
      (self.name, self.value, self.expected) = (name, String(value.prefix(60)), expected)
    }
  }

  /// The name of the field with the number of requests that remain.
  public var remaining: String
  /// The field that contains the time at which the current window of the rate limit ends.
  public var reset: WaitField

  /// Creates a value from the names of a server's fields.
  public init(remaining: String, reset: WaitField) {
    self.remaining = remaining
    self.reset = reset
  }

  /// The time until the window ends, if no request remains in it; nil if requests remain or a field is missing.
  ///
  /// If there are several values, the fewest remaining requests and the longest wait are used.
  ///
  /// - Parameters:
  ///   - now: the current time in seconds since 1970
  ///   - fields: returns the values of all fields with a name, ignoring case
  public func wait(now: Double, fields: (String) -> [String]) throws(Unreadable) -> Duration? {
    let values = fields(remaining)
    var fewest: Double?
    for value in values {
      guard let number = DecimalSeconds.parse(value.prefix { $0 != "," && $0 != ";" }) else {
        throw Unreadable(remaining, value, "a number")
      }
      fewest = min(fewest ?? number, number)
    }
    guard let fewest, fewest < 1 else { return nil }
    let resets = fields(reset.name)
    guard let first = resets.first else { return nil }
    guard let wait = reset.wait(resets, now: now) else { throw Unreadable(reset.name, first, reset.format.noun) }
    return wait
  }
}

extension WaitField.Format {
  fileprivate var noun: String {
    switch self {
    case .auto: "a number or a date"
    case .seconds: "a number of seconds"
    case .milliseconds: "a number of milliseconds"
    case .epochSeconds: "a number of seconds since 1970"
    case .epochMilliseconds: "a number of milliseconds since 1970"
    case .time: "a time"
    }
  }
}
