internal import ReactorCore

/// Tells of a pull's pages as often as somebody can look: thousands of pages a second would wake the views and the event
/// log for each.
struct PageProgress {
  /// Between two tellings at least.
  private static let interval = Duration.milliseconds(20)

  private let instruments: FlowInstruments
  /// What earlier requests of the pull gave.
  private let before: (pages: Int, records: Int)
  private var due: Duration?
  private var reported = 0

  init(_ instruments: FlowInstruments, before: (pages: Int, records: Int)) {
    self.instruments = instruments
    self.before = before
  }

  /// Tells what there is, unless that was done just now.
  mutating func note(_ outcome: Pull.Outcome) {
    let now = instruments.stopwatch.reading()
    if let due, now < due { return }
    due = now + Self.interval
    end(outcome)
  }

  /// Tells what there is at last, unless it is known.
  mutating func end(_ outcome: Pull.Outcome) {
    guard reported < outcome.pages else { return }
    reported = outcome.pages
    instruments.observer(
      .paged(pages: before.pages + outcome.pages, records: before.records + outcome.report.kept))
  }
}
