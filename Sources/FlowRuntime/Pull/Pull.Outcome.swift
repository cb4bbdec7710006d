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
    /// What the response says that distinguishes it from others; empty where there was more than one.
    var validators = Validators()
    /// The text around the records of the page that has the total.
    var envelope: [UInt8]?
    /// The fields that no record of any response has and that look misspelt; nil while there was no record.
    private var missingFields: [MissingField]?
    /// Why there is less than there should be, when that is accepted.
    var cut: ReactorError?
    /// The greatest value of the cursor's field among the records.
    var greatest: GreatestValue?
    /// The same for each parent whose pull is whole, by the parent's key.
    var cursors: [String: String] = [:]
    /// Rejected records of earlier runs that came and fit, or are gone.
    var delivered: Set<UInt64> = []
    /// Whether a rule says that nothing more is asked for, also not for further partitions.
    var isEnd = false
    /// The last response's bytes, where they are asked for.
    var responseBytes: [UInt8]?

    init() {}

    /// What one page gave.
    init(_ page: PageReading) { add(page) }

    mutating func add(_ part: Outcome) {
      report.append(part.report)
      responseBytes = part.responseBytes ?? responseBytes
      bytes += part.bytes
      pages += part.pages
      status = status ?? part.status
      cut = cut ?? part.cut
      take(part.greatest)
      cursors.merge(part.cursors) { _, later in later }
      delivered.formUnion(part.delivered)
      isEnd = isEnd || part.isEnd
      if let fields = part.missingFields { keepMissing(fields) }
      for step in FlowStep.allCases {
        guard let time = part.timings[step] else { continue }
        timings[step] = (timings[step] ?? .zero) + time
      }
    }

    mutating func add(_ page: PageReading) {
      isEnd = isEnd || page.isEnd
      if page.outcome.report.total > 0 { keepMissing(page.outcome.missingFields) }
      report.append(page.outcome.report)
      bytes += page.outcome.bytes
      pages += 1
      validators = pages == 1 ? Validators(page.headers) : Validators()
      status = status ?? page.status
      envelope = page.outcome.envelope ?? envelope
      take(page.greatest)
      delivered.formUnion(page.delivered)
      responseBytes = page.responseBytes ?? responseBytes
      for step in FlowStep.allCases {
        guard let time = page.timings[step] else { continue }
        timings[step] = (timings[step] ?? .zero) + time
      }
    }

    private mutating func keepMissing(_ fields: [MissingField]) {
      missingFields = missingFields?.filter { known in fields.contains { $0.path == known.path } } ?? fields
    }

    /// Whether a further page can change what is said of fields that look misspelt.
    var seeksFields: Bool { missingFields?.isEmpty != true }

    /// What is to be said of fields that look misspelt.
    var doubt: ReactorError? {
      guard let missingFields, !missingFields.isEmpty else { return nil }
      let facts = missingFields.map { "\($0.path) ('\($0.name)'), the first has \($0.near)" }
      var error = ReactorError.parser("no record has " + facts.joined(separator: "; nor "))
      error.key = "schema.\(missingFields[0].name)"
      error.help = "did you mean \(missingFields.map { "'\($0.near)'" }.joined(separator: ", "))?"
      return error
    }

    private mutating func take(_ other: GreatestValue?) {
      guard let other else { return }
      if greatest == nil { greatest = other } else { greatest?.take(other) }
    }
  }
}
