internal import ReactorCore

/// Reports the pages of a pull, at most once per interval.
///
/// A pull can read thousands of pages a second. To report each page would slow down the displays and fill the event
/// log.
struct PageProgress {
  /// The minimum time between two reports.
  private static let interval = Duration.milliseconds(20)

  private let instruments: FlowInstruments
  /// The pages and records of the pull's earlier requests.
  private let before: (pages: Int, records: Int)
  private var due: Duration?
  private var reported = 0

  init(_ instruments: FlowInstruments, before: (pages: Int, records: Int)) {
    self.instruments = instruments
    self.before = before
  }

  /// Reports the outcome so far, unless the last report is too recent.
  mutating func note(_ outcome: Pull.Outcome) {
    let now = instruments.stopwatch.reading()
    if let due, now < due { return }
    due = now + Self.interval
    end(outcome)
  }

  /// Reports the final outcome, unless its pages were reported already.
  mutating func end(_ outcome: Pull.Outcome) {
    guard reported < outcome.pages else { return }
    reported = outcome.pages
    instruments.observer(
      .paged(pages: before.pages + outcome.pages, records: before.records + outcome.report.kept))
  }
}
