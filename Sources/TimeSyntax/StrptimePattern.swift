package import JSONSyntax

/// A strptime pattern that reads and writes instants.
///
/// The pattern is checked when it is created. Names of months and days are English, independently of the locale.
package struct StrptimePattern: Sendable {
  private enum Part: Sendable, Hashable {
    case literal(UInt8)
    case whiteSpace
    case field(UInt8)
  }

  private let parts: [Part]

  /// The letters of the fields. `T`, `D`, `F` and `R` are short forms of several fields.
  private static let fields = "YmdHMSfzZbByjpIeaAs"
  /// The letters that may follow a percent sign.
  package static let conversions = fields + "TFDR%"
  /// The letters of the fields that can only be written: they do not determine a date together with the others.
  private static let writtenFields = "uwGV"

  private static let months = GregorianCalendar.months.map { $0.lowercased() }
  private static let weekdays = GregorianCalendar.weekdays.map { $0.lowercased() }

  /// Creates a pattern for reading; nil when it has an unknown field, or when the year, month or day is missing.
  package init?(_ pattern: String) {
    self.init(writing: pattern)
    func has(_ names: String) -> Bool { names.utf8.contains { parts.contains(.field($0)) } }
    guard !has(Self.writtenFields), has("s") || (has("Yy") && ((has("mbB") && has("de")) || has("j"))) else {
      return nil
    }
  }

  /// Creates a pattern for writing, in which the day may be missing; nil when it has an unknown field.
  package init?(writing pattern: String) {
    var parts: [Part] = []
    var bytes = Array(pattern.utf8)[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        parts.append(byte == 0x20 ? .whiteSpace : .literal(byte))
        continue
      }
      guard let field = bytes.popFirst() else { return nil }
      switch field {
      case UInt8(ascii: "T"): bytes = Array("%H:%M:%S".utf8) + bytes
      case UInt8(ascii: "F"): bytes = Array("%Y-%m-%d".utf8) + bytes
      case UInt8(ascii: "D"): bytes = Array("%m/%d/%y".utf8) + bytes
      case UInt8(ascii: "R"): bytes = Array("%H:%M".utf8) + bytes
      case UInt8(ascii: "%"): parts.append(.literal(field))
      case UInt8(ascii: "n"): parts.append(.literal(0x0A))
      case UInt8(ascii: "t"): parts.append(.literal(0x09))
      case UInt8(ascii: "h"): parts.append(.field(UInt8(ascii: "b")))
      case _ where (Self.fields + Self.writtenFields).utf8.contains(field): parts.append(.field(field))
      default: return nil
      }
    }
    self.parts = parts
  }

  /// The fields that a text gives, each as it is written: a day may be one that its month does not have.
  package struct Fields {
    /// The date and the time of day; parts that the pattern does not read are unchanged.
    package var time: CivilTime
    /// Seconds east of UTC.
    package var zone = 0
    /// The day of the year, from 1.
    package var dayOfYear: Int?
    /// Seconds since 1970-01-01T00:00:00Z.
    package var epoch: Int?

    package init(_ time: CivilTime) { self.time = time }
  }

  /// Reads the instant of a text; nil when the text does not match the pattern.
  ///
  /// The text is in UTC, unless the pattern reads a zone. The result is in UTC.
  package func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    var fields = Fields(CivilTime(year: 1970, month: 1, day: 1))
    guard read(bytes, into: &fields) else { return nil }
    let time = fields.time
    if let epoch = fields.epoch { return CivilTime(secondsSince1970: Int64(epoch), nanosecond: time.nanosecond) }
    guard time.isDate, time.hour <= 23, time.minute <= 59, time.second <= 60 else { return nil }
    var seconds = time.secondsSince1970 - Int64(fields.zone)
    if let dayOfYear = fields.dayOfYear {
      guard dayOfYear >= 1, dayOfYear <= (GregorianCalendar.length(ofMonth: 2, in: time.year) == 29 ? 366 : 365) else {
        return nil
      }
      seconds += Int64(dayOfYear - 1) * 86_400
    }
    return CivilTime(secondsSince1970: seconds, nanosecond: time.nanosecond)
  }

  /// Reads the fields of a text; false when the text does not match the pattern.
  package func read(_ bytes: UnsafeBufferPointer<UInt8>, into result: inout Fields) -> Bool {
    var scanner = TextScanner(bytes)
    var isAfternoon: Bool?
    for part in parts {
      switch part {
      case .literal(let byte):
        guard scanner.skip(byte) else { return false }
      case .whiteSpace:
        guard scanner.skip(0x20) else { return false }
        while scanner.skip(0x20) {}
      case .field(let field):
        switch field {
        case UInt8(ascii: "Y"): guard let value = scanner.digits(4) else { return false }; result.time.year = value
        case UInt8(ascii: "y"):
          guard let value = scanner.digits(2) else { return false }
          result.time.year = value < 69 ? 2000 + value : 1900 + value
        case UInt8(ascii: "m"): guard let value = scanner.digits(1, 2) else { return false }; result.time.month = value
        case UInt8(ascii: "d"), UInt8(ascii: "e"):
          _ = scanner.skip(0x20)
          guard let value = scanner.digits(1, 2) else { return false }
          result.time.day = value
        case UInt8(ascii: "j"): guard let value = scanner.digits(3) else { return false }; result.dayOfYear = value
        case UInt8(ascii: "H"), UInt8(ascii: "I"):
          guard let value = scanner.digits(1, 2) else { return false }
          result.time.hour = value
        case UInt8(ascii: "M"): guard let value = scanner.digits(1, 2) else { return false }; result.time.minute = value
        case UInt8(ascii: "S"): guard let value = scanner.digits(1, 2) else { return false }; result.time.second = value
        case UInt8(ascii: "f"):
          guard let value = scanner.nanoseconds() else { return false }; result.time.nanosecond = value
        case UInt8(ascii: "s"): guard let value = scanner.digits(1, 12) else { return false }; result.epoch = value
        case UInt8(ascii: "p"):
          guard let half = name(&scanner, among: ["am", "pm"], short: 2) else { return false }
          isAfternoon = half == 1
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
          guard let value = name(&scanner, among: Self.months, short: 3) else { return false }
          result.time.month = value + 1
        case UInt8(ascii: "a"), UInt8(ascii: "A"):
          guard name(&scanner, among: Self.weekdays, short: 3) != nil else { return false }
        default:
          if name(&scanner, among: ["utc", "gmt"], short: 3) != nil { continue }
          guard let value = scanner.zone() else { return false }
          result.zone = value
        }
      }
    }
    if let isAfternoon {
      guard (1...12).contains(result.time.hour) else { return false }
      result.time.hour = result.time.hour % 12 + (isAfternoon ? 12 : 0)
    }
    return scanner.isAtEnd
  }

  /// Writes an instant in this pattern, in UTC.
  package func text(_ time: CivilTime) -> String {
    let out = ByteBuffer(capacity: 64)
    append(time, to: out)
    return String(decoding: out.copy(), as: UTF8.self)
  }

  /// Appends an instant in this pattern, in UTC.
  package func append(_ time: CivilTime, to out: ByteBuffer) {
    for part in parts {
      switch part {
      case .literal(let byte): out.append(byte)
      case .whiteSpace: out.append(0x20)
      case .field(let field): appendField(field, of: time, to: out)
      }
    }
  }

  private func appendField(_ field: UInt8, of time: CivilTime, to out: ByteBuffer) {
    let days = time.secondsSince1970 / 86_400 - (time.secondsSince1970 % 86_400 < 0 ? 1 : 0)
    let weekdayNumber = GregorianCalendar.weekday(Int(days))
    let weekday = GregorianCalendar.weekdays[weekdayNumber]
    let month = GregorianCalendar.months[min(max(time.month, 1), 12) - 1]
    switch field {
    case UInt8(ascii: "Y"): InstantText.appendPadded(time.year, 4, to: out)
    case UInt8(ascii: "y"): InstantText.appendPadded(time.year % 100, 2, to: out)
    case UInt8(ascii: "m"): InstantText.appendPadded(time.month, 2, to: out)
    case UInt8(ascii: "d"): InstantText.appendPadded(time.day, 2, to: out)
    case UInt8(ascii: "e"): out.append(utf8: (time.day < 10 ? " " : "") + String(time.day))
    case UInt8(ascii: "u"): out.append(utf8: String(weekdayNumber == 0 ? 7 : weekdayNumber))
    case UInt8(ascii: "w"): out.append(utf8: String(weekdayNumber))
    case UInt8(ascii: "G"):
      InstantText.appendPadded(GregorianCalendar.date(Self.thursday(of: Int(days))).year, 4, to: out)
    case UInt8(ascii: "V"):
      let thursday = Self.thursday(of: Int(days))
      let start = GregorianCalendar.number(year: GregorianCalendar.date(thursday).year, month: 1, day: 1)
      InstantText.appendPadded((thursday - start) / 7 + 1, 2, to: out)
    case UInt8(ascii: "H"): InstantText.appendPadded(time.hour, 2, to: out)
    case UInt8(ascii: "I"): InstantText.appendPadded((time.hour + 11) % 12 + 1, 2, to: out)
    case UInt8(ascii: "M"): InstantText.appendPadded(time.minute, 2, to: out)
    case UInt8(ascii: "S"): InstantText.appendPadded(time.second, 2, to: out)
    case UInt8(ascii: "f"): InstantText.appendPadded(time.nanosecond / 1000, 6, to: out)
    case UInt8(ascii: "s"): out.append(decimal: time.secondsSince1970)
    case UInt8(ascii: "j"):
      let start = CivilTime(year: time.year, month: 1, day: 1)
      InstantText.appendPadded(Int((time.secondsSince1970 - start.secondsSince1970) / 86_400) + 1, 3, to: out)
    case UInt8(ascii: "p"): out.append(utf8: time.hour < 12 ? "AM" : "PM")
    case UInt8(ascii: "b"): out.append(utf8: String(month.prefix(3)))
    case UInt8(ascii: "B"): out.append(utf8: month)
    case UInt8(ascii: "a"): out.append(utf8: String(weekday.prefix(3)))
    case UInt8(ascii: "A"): out.append(utf8: weekday)
    case UInt8(ascii: "z"): out.append("+0000")
    default: out.append("UTC")
    }
  }

  /// The Thursday of a day's week, which begins on Monday: its year is that of the week (ISO 8601).
  private static func thursday(of day: Int) -> Int { day + 3 - (GregorianCalendar.weekday(day) + 6) % 7 }

  /// Reads a name, in full or abbreviated, ignoring case; returns its index.
  private func name(_ scanner: inout TextScanner, among names: [String], short: Int) -> Int? {
    for (index, name) in names.enumerated() {
      for length in [name.utf8.count, short] where scanner.position + length <= scanner.bytes.count {
        let matches = zip(name.utf8.prefix(length), scanner.bytes[scanner.position...]).allSatisfy { $0 == $1 | 0x20 }
        if matches {
          scanner.position += length
          return index
        }
      }
    }
    return nil
  }
}
