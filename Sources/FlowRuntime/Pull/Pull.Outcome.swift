internal import Boxes
internal import FlowModel
internal import ReactorCore
internal import Records

extension Pull {
  /// The result of a pull, except its records.
  struct Outcome: Sendable {
    var report = PruneReport()
    var bytes = 0
    var pages = 0
    var status: Int?
    var timings = FlowTimings()
    /// The validators of the response; empty after more than one response.
    var validators = Validators()
    /// The JSON of the last page without its records, which may contain the total.
    var envelope: [UInt8]?
    /// The JSON of the first page without its records, for a total that only the first page has.
    var firstEnvelope: [UInt8]?
    /// The fields that no record has and whose paths look misspelt; nil before the first record.
    private var missingFields: [MissingField]?
    /// The members of records that an inferred schema does not contain.
    private var newMembers: Set<String> = []
    /// The number of records whose key an earlier record has, if repeated keys were counted; else 0.
    var repeated = 0
    /// The keys of the records of the requested parent; nil without parents or a key.
    var parentKeys: ParentKeys?
    /// The warning about parents that share keys; nil without one.
    @BoxedIfPresent var sharedKey: ReactorError?
    /// The warning about a list that changed while it was read; nil without one.
    @BoxedIfPresent var movement: ReactorError?
    /// Why records are missing, if the flow accepts an incomplete pull; nil for a complete pull.
    @BoxedIfPresent var cut: ReactorError?
    /// The token that the next run sends first, from the last page that has one.
    var token: String?
    /// The greatest value of the cursor's field among the records.
    @BoxedIfPresent var greatest: GreatestValue?
    /// The end of the last slice that was read completely; nil without slices.
    ///
    /// After a pull that was cut short, the next run continues there.
    var settled: Cursor.Value?
    /// The slices after a checkpoint that are not read yet; empty without a checkpoint.
    var left: [CursorRange] = []
    /// The greatest value for each parent whose pull is complete, by the parent's key.
    var cursors: [String: String] = [:]
    /// Identities of records that an earlier run rejected and that are delivered now.
    ///
    /// Such a record arrived as a valid record, or was deleted. Its line leaves the file of rejected records.
    var delivered: Set<UInt64> = []
    /// Whether an error rule ends all further requests, also those for further partitions.
    var isEnd = false
    /// Whether the server has perhaps left out records of the requested range because of a limit.
    var isCapped = false
    /// The bytes of the last response, when the pull holds them; else nil.
    var responseBytes: [UInt8]?

    init() {}

    /// Creates the outcome of one page.
    init(_ page: PageReading) { add(page) }

    mutating func add(_ part: Outcome) {
      report.append(part.report)
      responseBytes = part.responseBytes ?? responseBytes
      bytes += part.bytes
      pages += part.pages
      status = status ?? part.status
      cut = cut ?? part.cut
      movement = movement ?? part.movement
      repeated += part.repeated
      token = part.token ?? token
      add(part.parentKeys)
      take(part.greatest)
      cursors.merge(part.cursors) { _, later in later }
      delivered.formUnion(part.delivered)
      isEnd = isEnd || part.isEnd
      if let fields = part.missingFields { keepMissing(fields) }
      newMembers.formUnion(part.newMembers)
      add(part.timings)
    }

    /// The outcome without its keys, after they were compared with those of other parents.
    var withoutKeys: Outcome {
      var outcome = self
      outcome.parentKeys = nil
      return outcome
    }

    /// Adds the outcome of the slices after a checkpoint.
    mutating func go(on part: Outcome) {
      add(part)
      settled = part.settled ?? settled
      left = part.left
    }

    mutating func add(_ page: PageReading) {
      isEnd = isEnd || page.isEnd
      if page.outcome.report.total > 0 { keepMissing(page.outcome.missingFields) }
      newMembers.formUnion(page.outcome.newMembers)
      report.append(page.outcome.report)
      bytes += page.outcome.bytes
      pages += 1
      validators = pages == 1 ? Validators(page.headers) : Validators()
      status = status ?? page.status
      envelope = page.outcome.envelope ?? envelope
      firstEnvelope = firstEnvelope ?? page.outcome.envelope
      token = page.token ?? token
      add(page.parentKeys)
      take(page.greatest)
      delivered.formUnion(page.delivered)
      responseBytes = page.responseBytes ?? responseBytes
      add(page.timings)
    }

    /// Notes whether the server has perhaps left out records after this page, which is the last one so far.
    mutating func noteCap(_ cap: Cursor.Cap?, after page: PageReading) {
      isCapped = isCapped || page.isCapped
      if let cap, !isEnd, cap.isReached(by: self, lastPage: page.outcome.report.total) { isCapped = true }
    }

    /// Whether the responses had no record for the result, and no rejected record.
    var hasNoRecords: Bool { report.kept == 0 && report.rejected == 0 && !isEnd && cut == nil }

    /// Adds the counts and times of requests whose records are not used.
    mutating func addDiscarded(_ part: Outcome) {
      bytes += part.bytes
      pages += part.pages
      status = status ?? part.status
      add(part.timings)
    }

    /// Adds the time of a response that is not used.
    mutating func addTimings(_ page: PageReading) { add(page.timings) }

    private mutating func add(_ more: FlowTimings) {
      for step in FlowStep.allCases {
        guard let time = more[step] else { continue }
        timings[step] = (timings[step] ?? .zero) + time
      }
    }

    private mutating func keepMissing(_ fields: [MissingField]) {
      missingFields = missingFields?.filter { known in fields.contains { $0.path == known.path } } ?? fields
    }

    /// Whether a further page can change `missingFields`.
    var seeksFields: Bool { missingFields?.isEmpty != true }

    /// The warning about fields whose paths look misspelt; nil without such fields.
    var doubt: ReactorError? {
      guard let missingFields, !missingFields.isEmpty else { return nil }
      let facts = missingFields.map { "\($0.path) ('\($0.name)'), the first has \($0.near)" }
      var error = ReactorError.parser("no record has " + facts.joined(separator: "; nor "))
      error.key = "schema.\(missingFields[0].name)"
      error.help = "did you mean \(missingFields.map { "'\($0.near)'" }.joined(separator: ", "))?"
      return error
    }

    /// The warning about members that an inferred schema does not contain; nil without such members.
    var drift: ReactorError? {
      guard !newMembers.isEmpty else { return nil }
      let names = newMembers.sorted().map { "'\($0)'" }
      let more = names.count > 8 ? " and \(names.count - 8) more" : ""
      var error = ReactorError.parser(
        "records have members that the lock file does not know: \(names.prefix(8).joined(separator: ", "))\(more)")
      error.key = "schema"
      error.help = "add each member with its type to the lock file, or remove it with 'change: { remove: [NAME] }'"
      return error
    }

    private mutating func add(_ keys: ParentKeys?) {
      guard let keys else { return }
      if parentKeys == nil { parentKeys = keys } else { parentKeys?.add(keys) }
    }

    private mutating func take(_ other: GreatestValue?) {
      guard let other else { return }
      if greatest == nil { greatest = other } else { greatest?.take(other) }
    }
  }
}
