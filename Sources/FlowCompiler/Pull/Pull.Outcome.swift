internal import FlowSpec
internal import ReactorCore
internal import Records

extension Pull {
  /// What a pull gave besides the records.
  struct Outcome: Sendable {
    var report = PruneReport()
    var bytes = 0
    var pages = 0
    var status: Int?
    var timings = FlowTimings()
    /// What the answer says by which to tell it from others; empty where there was more than one.
    var validators = Validators()
    /// The text around the records of the page that tells the total.
    var envelope: [UInt8]?
    /// Why there is less than there should be, when that is accepted.
    var cut: ReactorError?
    /// The greatest value of the cursor's field among the records.
    var greatest: GreatestValue?
    /// The same for each parent whose pull is whole, by the parent's key.
    var cursors: [String: String] = [:]
    /// Whether a rule says that nothing more is asked for, also not for further partitions.
    var isEnd = false
    /// The last answer's bytes, where they are asked for.
    var answer: [UInt8]?

    mutating func add(_ part: Outcome) {
      report.append(part.report)
      answer = part.answer ?? answer
      bytes += part.bytes
      pages += part.pages
      status = status ?? part.status
      cut = cut ?? part.cut
      take(part.greatest)
      cursors.merge(part.cursors) { _, later in later }
      isEnd = isEnd || part.isEnd
      for step in FlowStep.allCases {
        guard let time = part.timings[step] else { continue }
        timings[step] = (timings[step] ?? .zero) + time
      }
    }

    mutating func add(_ page: PageReading) {
      isEnd = isEnd || page.isEnd
      report.append(page.outcome.report)
      bytes += page.outcome.bytes
      pages += 1
      validators = pages == 1 ? Validators(page.headers) : Validators()
      status = status ?? page.status
      envelope = page.outcome.envelope ?? envelope
      take(page.greatest)
      answer = page.answer ?? answer
      for step in FlowStep.allCases {
        guard let time = page.timings[step] else { continue }
        timings[step] = (timings[step] ?? .zero) + time
      }
    }

    private mutating func take(_ other: GreatestValue?) {
      guard let other else { return }
      if greatest == nil { greatest = other } else { greatest?.take(other) }
    }
  }
}
