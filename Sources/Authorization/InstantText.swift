/// A moment as RFC 3339 writes it.
enum InstantText {
  /// Time since 1970, to the second; nil when the text is none. Fractions are passed over.
  static func sinceEpoch(_ text: String) -> Duration? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[13] == 0x3A, bytes[16] == 0x3A,
      [0x54, 0x74, 0x20].contains(bytes[10]), let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var rest = bytes[19...]
    if rest.first == 0x2E {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = offset(Array(rest)) else { return nil }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    return .seconds(seconds)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Seconds east of UTC.
  private static func offset(_ zone: [UInt8]) -> Int? {
    if zone.count == 1, zone[0] == 0x5A || zone[0] == 0x7A { return 0 }
    guard zone.count == 6, zone[0] == 0x2B || zone[0] == 0x2D, zone[3] == 0x3A, let hours = number(zone[1..<3]),
      let minutes = number(zone[4..<6]), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (zone[0] == 0x2B ? 1 : -1)
  }

  /// Days since 1970-01-01 in the Gregorian calendar, years from March on.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
