/// Moments as cassettes hold them: RFC 3339 in UTC, to the second.
package enum InstantText {
  /// The text of a number of seconds since 1970.
  package static func text(_ seconds: Int64) -> String {
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let rest = seconds - days * 86_400
    // Days to a date of the Gregorian calendar, counted in eras of 400 years from 1 March of year 0.
    let shifted = days + 719_468
    let era = (shifted - (shifted % 146_097 + 146_097) % 146_097) / 146_097
    let day = shifted - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let ofYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * month + 2) / 5 + 1
    let number = month < 10 ? month + 3 : month - 9
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year + era * 400 + (number <= 2 ? 1 : 0))-\(two(number))-\(two(date))"
      + "T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }

  /// The seconds since 1970 of such a text; nil for any other.
  package static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[19] == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      bytes[range].allSatisfy { $0 &- 0x30 < 10 } ? bytes[range].reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }
}
