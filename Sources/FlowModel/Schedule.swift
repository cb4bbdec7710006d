/// When an engine starts an exported job of the flow. A run does not read it.
package struct Schedule: Sendable {
  /// The starts.
  package enum Start: Sendable, Hashable {
    case cron(CronTimes)
    /// Seconds from a start to the next one, at least 60.
    case every(Int)
  }

  package let start: Start
  /// The name of the time zone of the cron fields; nil means UTC.
  package let zone: Located<String>?
  /// The longest wait before a start, in seconds; 0 for none. Each process chooses its wait at random.
  package let jitter: Int

  /// Creates a schedule.
  package init(_ start: Start, zone: Located<String>? = nil, jitter: Int = 0) {
    self.start = start
    self.zone = zone
    self.jitter = jitter
  }

  /// The schedule in one line, for messages and comparisons: equal schedules have equal texts.
  package var text: String {
    let start =
      switch start {
      case .cron(let times): "cron \(times.text) (\(zone?.value ?? "UTC"))"
      case .every(let seconds): "every \(Self.text(ofSeconds: seconds))"
      }
    return jitter == 0 ? start : "\(start), jitter \(Self.text(ofSeconds: jitter))"
  }

  /// The starts as times of cron; nil if fields of cron cannot express them.
  package var times: CronTimes? {
    switch start {
    case .cron(let times): return times
    case .every(let seconds):
      guard seconds % 60 == 0 else { return nil }
      let minutes = seconds / 60
      let zero = CronTimes.Field(text: "0", bits: 1)
      switch minutes {
      case ..<60: return 60 % minutes == 0 ? CronTimes(minute: .every(minutes, in: 0...59)) : nil
      case 1440: return CronTimes(minute: zero, hour: zero)
      case 10_080: return CronTimes(minute: zero, hour: zero, weekday: zero)
      default:
        guard minutes % 60 == 0, minutes < 1440, 1440 % minutes == 0 else { return nil }
        return CronTimes(minute: zero, hour: .every(minutes / 60, in: 0...23))
      }
    }
  }

  /// The shortest time between two starts, in seconds; nil if there is at most one start in eight years.
  package var shortestGap: Int? {
    switch start {
    case .cron(let times): times.shortestGap.map { $0 * 60 }
    case .every(let seconds): seconds
    }
  }

  /// A number of seconds in its largest whole unit: `90m`, `6h`.
  package static func text(ofSeconds seconds: Int) -> String {
    let unit = [(86_400, "d"), (3600, "h"), (60, "m")].first { seconds > 0 && seconds % $0.0 == 0 } ?? (1, "s")
    return "\(seconds / unit.0)\(unit.1)"
  }
}
