internal import JSONSyntax
internal import TimeSyntax

/// jq's broken down time: UTC of the Gregorian calendar, months from 0, fields out of bounds carried over.
struct BrokenDownTime {
  var year = 1900
  /// From 0.
  var month = 0
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0.0
  /// Seconds east of Greenwich that were read with it.
  var offset = 0

  init(seconds: Double) {
    let whole = seconds.rounded(.down)
    let days = Int((whole / 86_400).rounded(.down))
    let rest = Int(whole) - days * 86_400
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, Double(rest % 60) + (seconds - whole))
    (year, month, day) = GregorianCalendar.date(days)
    month -= 1
  }

  /// Reads jq's broken down time; nil where it is none.
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

  /// Writes the time by strftime's letters that are the same in every locale.
  func text(_ format: String, meter: inout Meter) throws(Interruption) -> String {
    try meter.build(32 + format.utf8.count * 16)
    try meter.step(format.utf8.count)
    func padded(_ value: Int, _ width: Int, _ fill: String = "0") -> String {
      let text = String(value.magnitude)
      let missing = max(width - text.utf8.count, 0)
      return (value < 0 ? "-" : "") + String(repeating: fill, count: missing) + text
    }
    var result = ""
    var isLetter = false
    for scalar in format.unicodeScalars {
      guard isLetter else {
        if scalar == "%" { isLetter = true } else { result.unicodeScalars.append(scalar) }
        continue
      }
      isLetter = false
      let whole = Int(second)
      switch scalar {
      case "Y": result += padded(year, 1)
      case "y": result += padded(((year % 100) + 100) % 100, 2)
      case "m": result += padded(month + 1, 2)
      case "d": result += padded(day, 2)
      case "e": result += padded(day, 2, " ")
      case "H": result += padded(hour, 2)
      case "I": result += padded((hour + 11) % 12 + 1, 2)
      case "p": result += hour < 12 ? "AM" : "PM"
      case "M": result += padded(minute, 2)
      case "S": result += padded(whole, 2)
      case "j": result += padded(yearday + 1, 3)
      case "u": result += String(weekday == 0 ? 7 : weekday)
      case "w": result += String(weekday)
      case "A": result += GregorianCalendar.weekdays[weekday]
      case "a": result += GregorianCalendar.weekdays[weekday].prefix(3)
      case "B": result += GregorianCalendar.months[((month % 12) + 12) % 12]
      case "b", "h": result += GregorianCalendar.months[((month % 12) + 12) % 12].prefix(3)
      case "F": result += "\(padded(year, 1))-\(padded(month + 1, 2))-\(padded(day, 2))"
      case "T": result += "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(whole, 2))"
      case "D": result += "\(padded(month + 1, 2))/\(padded(day, 2))/\(padded(year % 100, 2))"
      case "R": result += "\(padded(hour, 2)):\(padded(minute, 2))"
      case "s": result += String(Int(seconds))
      case "Z": result += "UTC"
      case "z": result += "+0000"
      case "n": result += "\n"
      case "t": result += "\t"
      case "%": result += "%"
      default: throw .message("strftime/1: '%\(scalar)' is not part of this subset")
      }
    }
    return result
  }
}
