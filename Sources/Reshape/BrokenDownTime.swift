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
  /// The offset in seconds east of Greenwich that was parsed with the time.
  var offset = 0

  init(seconds: Double) {
    let whole = seconds.rounded(.down)
    let days = Int((whole / 86_400).rounded(.down))
    let rest = Int(whole) - days * 86_400
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, Double(rest % 60) + (seconds - whole))
    (year, month, day) = GregorianCalendar.date(days)
    month -= 1
  }

  /// Parses jq's broken down time; nil when the value is not one.
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
      throw .message("strftime/1: '\(format.prefix(60))' holds a letter that is not part of this subset")
    }
    var time = CivilTime(year: year, month: month + 1, day: day)
    (time.hour, time.minute, time.second) = (hour, minute, Int(second))
    return pattern.text(time)
  }
}
