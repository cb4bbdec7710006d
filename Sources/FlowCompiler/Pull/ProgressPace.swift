internal import ReactorCore

/// How often a pull tells of its pages: as often as somebody can look. Thousands of pages a second would wake the views
/// and the event log for each.
struct ProgressPace {
  /// Between two tellings at least.
  private static let interval = Duration.milliseconds(20)

  private let stopwatch: Stopwatch
  private var due: Duration?

  init(_ stopwatch: Stopwatch) { self.stopwatch = stopwatch }

  /// Whether to tell now; always at first.
  mutating func isDue() -> Bool {
    let now = stopwatch.reading()
    if let due, now < due { return false }
    due = now + Self.interval
    return true
  }
}
