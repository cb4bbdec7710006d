/// Formats numbers for human readers.
package enum Quantity {
  /// A count with its noun: `1 record`, `2 records`.
  package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// A count with its noun, whose plural is irregular: `2 processes`.
  package static func count(_ number: Int, _ noun: String, plural: String) -> String {
    "\(number) \(number == 1 ? noun : plural)"
  }

  /// Bytes in units of 1000: `999 B`, `12.3 kB`, `1.5 GB`.
  package static func bytes(_ number: Int) -> String {
    guard number >= 1000 else { return "\(number) B" }
    var value = number
    var unit = 0
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 1_000_000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return "\(value / 1000).\(value % 1000 / 100) \(units[unit])"
  }

  /// An elapsed time in its greatest unit: `12 s`, `5 min`, `3 hours`, `3 days`.
  package static func age(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min" }
    return seconds < 172_800 ? count(Int(seconds / 3600), "hour") : count(Int(seconds / 86_400), "day")
  }

  /// Seconds with three digits: `0.041s`.
  package static func seconds(_ duration: Duration) -> String { seconds(milliseconds: milliseconds(duration)) + "s" }

  /// Seconds with three digits and no unit: `0.041`; negative numbers count as 0.
  package static func seconds(milliseconds: Int64) -> String {
    let milliseconds = max(milliseconds, 0)
    let digits = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// Elapsed minutes and seconds: `0:07`, `12:30`, `1:02:03`.
  package static func clock(_ duration: Duration) -> String {
    let seconds = max(milliseconds(duration) / 1000, 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }

  /// A number with a comma between its thousands: `1,204`.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Whole milliseconds.
  package static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// A text with blanks added up to a width.
  package static func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(width - text.count, 0))
    return isRight ? blanks + text : text + blanks
  }
}
