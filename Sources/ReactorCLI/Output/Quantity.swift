/// Numbers as people read them.
enum Quantity {
  /// `1 record`, `2 records`
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// Bytes in units of 1000: `999 B`, `12.3 kB`, `1.5 GB`.
  static func bytes(_ number: Int) -> String {
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

  /// Seconds with three digits: `0.041s`.
  static func seconds(_ duration: Duration) -> String {
    let milliseconds = max(milliseconds(duration), 0)
    let digits = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits + "s"
  }

  /// Whole milliseconds.
  static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// A text made longer by blanks.
  static func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(width - text.count, 0))
    return isRight ? blanks + text : text + blanks
  }
}
