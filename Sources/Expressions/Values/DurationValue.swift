/// Durations in expressions: exact to the nanosecond, at most 10,000 years.
enum DurationValue {
  /// The maximum duration in seconds.
  static let maximumSeconds: Int64 = 315_576_000_000

  static func nanoseconds(_ duration: Duration) -> Int128 {
    Int128(duration.components.seconds) * 1_000_000_000 + Int128(duration.components.attoseconds / 1_000_000_000)
  }

  /// The duration of a number of nanoseconds; the caller checks the range.
  static func duration(nanoseconds: Int128) -> Duration {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Duration(
      secondsComponent: Int64(clamping: seconds), attosecondsComponent: Int64(rest) * 1_000_000_000)
  }

  /// The duration of a number of nanoseconds; nil outside the range.
  static func checked(nanoseconds: Int128) -> Duration? {
    guard nanoseconds.magnitude <= UInt128(maximumSeconds) * 1_000_000_000 else { return nil }
    return duration(nanoseconds: nanoseconds)
  }

  /// The seconds of a duration with their fraction: the double that is nearest to them.
  static func seconds(_ duration: Duration) -> Double {
    let total = nanoseconds(duration)
    let (seconds, fraction) = total.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(fraction)
    let text = "\(seconds).\(String(repeating: "0", count: 9 - digits.utf8.count))\(digits)"
    return (total < 0 ? -1 : 1) * (Double(text) ?? 0)
  }

  /// ISO 8601 in days, hours, minutes and seconds: `P1DT2H30M`, `PT0.5S`, `-PT1M`, `PT0S`.
  static func text(_ duration: Duration) -> String {
    let total = nanoseconds(duration)
    let magnitude = total.magnitude
    let (seconds, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = total < 0 ? "-P" : "P"
    let days = seconds / 86_400
    if days > 0 { text += "\(days)D" }
    let (hours, minutes, rest) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
    guard hours > 0 || minutes > 0 || rest > 0 || fraction > 0 || days == 0 else { return text }
    text += "T"
    if hours > 0 { text += "\(hours)H" }
    if minutes > 0 { text += "\(minutes)M" }
    if rest > 0 || fraction > 0 || (days == 0 && hours == 0 && minutes == 0) {
      text += "\(rest)"
      if fraction > 0 {
        let digits = String(fraction)
        var padded = String(repeating: "0", count: 9 - digits.utf8.count) + digits
        while padded.hasSuffix("0") { padded.removeLast() }
        text += ".\(padded)"
      }
      text += "S"
    }
    return text
  }

  /// Parses `P1DT2H30M`, `P2W`, `PT0.5S`, or `30s`, `5m`, `1h30m`, `250ms`, `7d`; a leading `-` is allowed.
  ///
  /// The result is nil for years and months, which have no fixed length, for fractions of a nanosecond, and for values
  /// out of range.
  static func parse(_ text: String) -> Duration? {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let total = rest.first == UInt8(ascii: "P") ? iso(rest.dropFirst()) : sum(rest, shortUnits)
    guard let total else { return nil }
    return checked(nanoseconds: isNegative ? -total : total)
  }

  private static let dateUnits: [String: Int128] = ["W": 604_800_000_000_000, "D": 86_400_000_000_000]
  private static let timeUnits: [String: Int128] = ["H": 3_600_000_000_000, "M": 60_000_000_000, "S": 1_000_000_000]
  private static let shortUnits: [String: Int128] = [
    "d": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000,
  ]

  private static func iso(_ bytes: ArraySlice<UInt8>) -> Int128? {
    let parts = bytes.split(separator: UInt8(ascii: "T"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return sum(bytes, dateUnits) }
    guard let time = sum(parts[1], timeUnits) else { return nil }
    return parts[0].isEmpty ? time : sum(parts[0], dateUnits).map { $0 + time }
  }

  /// The sum in nanoseconds of one or more numbers with units.
  ///
  /// Units are in the order from long to short, and each unit occurs at most once.
  private static func sum(_ bytes: ArraySlice<UInt8>, _ units: [String: Int128]) -> Int128? {
    var rest = bytes
    var total: Int128 = 0
    var last = Int128.max
    repeat {
      guard let number = Number(&rest) else { return nil }
      let unit = rest.prefix { ($0 | 0x20) &- 0x61 <= 25 }
      rest = rest.dropFirst(unit.count)
      guard let factor = units[String(decoding: unit, as: UTF8.self)], factor < last, let value = number.times(factor)
      else { return nil }
      last = factor
      total += value
    } while !rest.isEmpty
    return total
  }

  /// Digits with an optional fraction, as an integer over a power of ten.
  private struct Number {
    var digits: Int128 = 0
    var scale: Int128 = 1

    init?(_ rest: inout ArraySlice<UInt8>) {
      var count = 0
      var hasPoint = false
      var afterPoint = 0
      while let byte = rest.first, byte &- 0x30 <= 9 || (byte == UInt8(ascii: ".") && !hasPoint && count > 0) {
        rest.removeFirst()
        guard byte != UInt8(ascii: ".") else {
          hasPoint = true
          continue
        }
        count += 1
        guard count <= 18 else { return nil }
        digits = digits * 10 + Int128(byte &- 0x30)
        if hasPoint {
          afterPoint += 1
          scale *= 10
        }
      }
      guard count > 0, !hasPoint || afterPoint > 0 else { return nil }
    }

    /// The number multiplied by a factor; nil when the product is not a whole number.
    func times(_ factor: Int128) -> Int128? {
      let (quotient, rest) = (digits * factor).quotientAndRemainder(dividingBy: scale)
      return rest == 0 ? quotient : nil
    }
  }
}
