internal import FlowModel

/// Writes times of cron as calendar expressions of systemd.
enum CalendarText {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The expressions; a start is one of any of them.
  ///
  /// - Parameter zone: the name of the time zone of the times
  static func expressions(of times: CronTimes, zone: String) -> [String] {
    let clock = "\(numbers(times.hour, 0...23)):\(numbers(times.minute, 0...59)):00 \(zone)"
    let month = "*-\(numbers(times.month, 1...12))"
    let day = "\(month)-\(numbers(times.day, 1...31)) \(clock)"
    if times.weekday.isAny { return [day] }
    let weekday = "\(weekdays(times.weekday)) \(month)-* \(clock)"
    // cron starts on a day that fits either field, and one expression means a day that fits both.
    return times.day.isAny ? [weekday] : [day, weekday]
  }

  private static func numbers(_ field: CronTimes.Field, _ bounds: ClosedRange<Int>) -> String {
    if field.isAny { return "*" }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if let step = field.text.wholeMatch(of: /\*\/([0-9]+)/) { return "\(digits(bounds.lowerBound))/\(step.1)" }
    return runs(of: bounds.filter(field.contains), digits)
  }

  private static func weekdays(_ field: CronTimes.Field) -> String {
    // The week of systemd begins with Monday.
    let order = [1, 2, 3, 4, 5, 6, 0]
    return runs(of: order.indices.filter { field.contains(order[$0]) }) { weekdays[order[$0]] }
  }

  /// Rising numbers as a list, with three or more in a row as a range.
  private static func runs(of numbers: [Int], _ text: (Int) -> String) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound == number - 1 {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { run in
      run.count < 3 ? run.map(text).joined(separator: ",") : "\(text(run.lowerBound))..\(text(run.upperBound))"
    }.joined(separator: ",")
  }
}
