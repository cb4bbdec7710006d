internal import JSONSyntax
internal import TimeSyntax

/// jq's "broken down time": UTC in the Gregorian calendar, with months from 0.
///
/// Fields out of their range are carried over to the next larger field.
struct BrokenDownTime {
  var year = 1900
  /// The month, from 0.
  var month = 0
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0.0
  /// The offset of the time zone that was parsed with the time, in seconds east of Greenwich.
  var offset = 0

  init(seconds: Double) {
    let whole = seconds.rounded(.down)
    let days = Int((whole / 86_400).rounded(.down))
    let rest = Int(whole) - days * 86_400
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, Double(rest % 60) + (seconds - whole))
    (year, month, day) = GregorianCalendar.date(days)
    month -= 1
  }

  /// Parses jq's broken down time; nil when the value is not a broken down time.
  init?(parts: JSONValue) {
    guard case .array(let parts) = parts, parts.count >= 6 else { return nil }
    var numbers: [Double] = []
    for part in parts.prefix(6) {
      guard case .number(let number) = part, abs(number.value) < 1e6 else { return nil }
      numbers.append(number.value)
    }
    (year, month, day, hour) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[2]), Int(numbers[3]))
    (minute, second) = (Int(numbers[4]), numbers[5])
  }

  /// Parses a text by a pattern of `strptime`; nil when the whole text does not match it.
  init?(_ text: String, _ pattern: StrptimePattern) {
    var fields = StrptimePattern.Fields(CivilTime(year: 1900, month: 1, day: 1))
    guard Array(text.utf8).withUnsafeBufferPointer({ pattern.read($0, into: &fields) }) else { return nil }
    let time = fields.time
    guard (1...12).contains(time.month), (1...31).contains(time.day), time.hour <= 23, time.minute <= 59,
      time.second <= 61, (1...366).contains(fields.dayOfYear ?? 1)
    else { return nil }
    self.init(seconds: Double(fields.epoch ?? 0))
    if fields.epoch == nil {
      (year, month, day) = (time.year, time.month - 1, time.day)
      (hour, minute, second) = (time.hour, time.minute, Double(time.second))
      offset = fields.zone
    }
    if let dayOfYear = fields.dayOfYear { (month, day) = (0, dayOfYear) }
    second += Double(time.nanosecond) / 1e9
  }

  var days: Int {
    let shifted = year + (month >= 0 ? month / 12 : (month - 11) / 12)
    return GregorianCalendar.number(year: shifted, month: ((month % 12) + 12) % 12 + 1, day: day)
  }

  var seconds: Double { Double(days * 86_400 + hour * 3_600 + minute * 60 - offset) + second.rounded(.down) }

  var weekday: Int { GregorianCalendar.weekday(days) }

  var yearday: Int {
    var start = self
    (start.month, start.day) = (0, 1)
    return days - start.days
  }

  var parts: JSONValue {
    .array(
      [year, month, day, hour, minute].map { .integer(Int64($0)) } + [.number(JSONNumber(second))]
        + [weekday, yearday].map { .integer(Int64($0)) })
  }

  /// Formats the time by the strftime conversion characters that do not depend on the locale.
  func text(_ format: String, meter: inout Meter) throws(EvaluationError) -> String {
    try meter.build(32 + format.utf8.count * 16)
    try meter.step(format.utf8.count)
    guard let pattern = StrptimePattern(writing: format) else {
      throw .message("strftime/1: '\(format.prefix(60))' has a conversion that is not supported")
    }
    var time = CivilTime(year: year, month: month + 1, day: day)
    (time.hour, time.minute, time.second) = (hour, minute, Int(second))
    return pattern.text(time)
  }
}
