internal import Expressions
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// One flow's way from its first request to its last record.
struct Pull: Sendable {
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

    private mutating func take(_ other: GreatestValue?) {
      guard let other else { return }
      if greatest == nil { greatest = other } else { greatest?.take(other) }
    }
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
  }

  let declaration: FlowDeclaration
  let schema: CompiledSchema
  var network: Network
  var instruments: FlowInstruments
  let format: RecordFormat
  /// The fields by which the records are merged; nil when they are not.
  var key: [String]?
  /// Takes the records that do not fit, when they are kept.
  var letters: DeadLetters?
  /// The flow's own request, as it may be shown.
  let shown: ResolvedRequest
  /// The URL of this pull's requests as it may be shown, where it is not the flow's own.
  var shownURL: String?
  /// Whether other flows take the records, as soon as they are there.
  var handsOn = false
  /// Whether the bytes of the answer are kept, at most 32 MiB.
  var holdsAnswer = false
  /// What every record gets besides its own fields.
  var added: AddedFields?
  /// What is done with records besides mapping them.
  var transform: RecordTransform?

  /// What expressions over answers may use besides these.
  var scope: ResolutionScope
  /// Pages and records that were told before.
  var told = (pages: 0, records: 0)
  /// Whether the next page may be asked for while one is read. Not where answers are recorded or replayed: which requests
  /// a pull makes that fails would depend on time.
  var looksAhead = false
  /// Makes a page's request from its number, offset or token, where the request's templates use them.
  var remake: (@Sendable (ExpressionValue) throws(ReactorError) -> Resource)?

  /// The request of a page.
  private func resource(_ step: PageStep, from resource: Resource) throws(ReactorError) -> Resource {
    step.resource(from: try remake?(step.value) ?? resource)
  }

  /// Asks for all pages of a request in their order.
  func run(_ resource: Resource, into sink: any PartSink) async throws(ReactorError) -> Outcome {
    guard let pages = declaration.pages else {
      var outcome = Outcome()
      outcome.add(try await read(resource, by: network, instruments, into: sink))
      return outcome
    }
    return try await run(resource, pages, into: sink)
  }

  private func run(
    _ resource: Resource, _ pages: PagesDeclaration, into sink: any PartSink
  ) async throws(ReactorError) -> Outcome {
    var outcome = Outcome()
    var follower = PageFollower(pages, total: declaration.expect.total?.value, scope: scope)
    var response = try await network.response(for: try self.resource(follower.first, from: resource))
    // The host was reached: its later pages are asked without looking again.
    let network = network.withoutReachabilityCheck().with(quiet)
    var step = follower.first
    do throws(ReactorError) {
      while true {
        let number = step.number
        // What is wrong with the flow shows on its first page: nothing more is asked for before that was read.
        let isAhead = looksAhead && number > 1 && response.meaning == nil
        let target = isAhead ? follower.target(after: response) : nil
        async let ahead = ask(target, resource, of: number + 1, by: network)
        let page: PageReading
        let asked = try self.resource(step, from: resource)
        do throws(ReactorError) {
          page = try await read(response, to: asked, page: number, number == 1 ? instruments : quiet, into: sink)
        } catch {
          throw number == 1 ? error : error.onPage(number)
        }
        outcome.add(page)
        tell(outcome)
        if outcome.isEnd { break }
        if number == 1, let rest = try follower.rest(after: page) {
          if !rest.isEmpty { try refuseUnfit(page) }
          try await run(rest, after: page, resource, pages, by: network, into: sink, &outcome)
          break
        }
        guard let next = try follower.next(after: page, at: target) else { break }
        if number == 1 { try refuseUnfit(page) }
        step = next
        if let answer = await ahead {
          response = try answer.get()
        } else {
          response = try await ask(step, resource, by: network)
        }
      }
    } catch {
      // Without its first page a pull has no part to keep.
      guard pages.keepsPart, outcome.pages > 0, error.kind != .cancelled else { throw error }
      outcome.cut = error
      instruments.observer(.cutShort(error))
    }
    return outcome
  }

  private func ask(
    _ step: PageStep, _ resource: Resource, by network: Network
  ) async throws(ReactorError) -> Response {
    let asked = try self.resource(step, from: resource)
    do throws(ReactorError) {
      return try await network.response(for: asked)
    } catch {
      throw error.onPage(step.number)
    }
  }

  /// The answer of the next page where its URL is known already; nil where it is not.
  private func ask(
    _ target: String?, _ resource: Resource, of number: Int, by network: Network
  ) async -> Result<Response, ReactorError>? {
    guard let target else { return nil }
    do throws(ReactorError) {
      return .success(try await ask(PageStep(number: number, target: target), resource, by: network))
    } catch {
      return .failure(error)
    }
  }

  /// Asks for pages that are known beforehand, several at once.
  private func run(
    _ steps: [PageStep], after first: PageReading, _ resource: Resource, _ pages: PagesDeclaration,
    by network: Network, into sink: any PartSink, _ outcome: inout Outcome
  ) async throws(ReactorError) {
    let order = OrderedSink(sink)
    var fingerprint = first.outcome.tail?.fingerprint
    var results: [Int: Result<PageReading, ReactorError>] = [:]
    var (begun, ended) = (0, 0)
    var hasFailed = false
    var failure: ReactorError?
    await withTaskGroup(of: (Int, Result<PageReading, ReactorError>).self) { group in
      func begin() {
        let place = begun
        let step = steps[place]
        begun += 1
        group.addTask {
          do throws(ReactorError) {
            let writer = order.writer(place)
            let page = try await read(
              try self.resource(step, from: resource), page: step.number, by: network, quiet, into: writer)
            // Behind the end nothing may be written.
            if page.isEnd { await order.breakOff(at: place) } else { try await writer.finish() }
            return (place, .success(page))
          } catch {
            // Its successors would wait for ever.
            await order.breakOff(at: place)
            return (place, .failure(error.onPage(step.number)))
          }
        }
      }
      while begun < min(pages.parallel, steps.count) { begin() }
      for await (place, result) in group {
        results[place] = result
        if case .failure = result { hasFailed = true }
        while failure == nil, let result = results.removeValue(forKey: ended) {
          switch result {
          case .success(let page):
            if let own = page.outcome.tail?.fingerprint, own == fingerprint {
              failure = PageFollower.repetition(steps[ended].number)
              hasFailed = true
              group.cancelAll()
              continue
            }
            fingerprint = page.outcome.tail?.fingerprint
            outcome.add(page)
            tell(outcome)
            ended = outcome.isEnd ? steps.count : ended + 1
            if outcome.isEnd { group.cancelAll() }
          case .failure(let error):
            // What comes before the failure is done; nobody needs what comes after.
            failure = error
            group.cancelAll()
          }
        }
        if !hasFailed, !outcome.isEnd, begun < steps.count { begin() }
      }
    }
    if let failure { throw failure }
    guard ended == steps.count else { throw .cancelled }
  }

  /// One request and the records of its answer.
  private func read(
    _ resource: Resource, page: Int = 1, by network: Network, _ instruments: FlowInstruments, into sink: any PartSink
  ) async throws(ReactorError) -> PageReading {
    try await read(try await network.response(for: resource), to: resource, page: page, instruments, into: sink)
  }

  /// The records of an answer.
  private func read(
    _ response: Response, to resource: Resource, page: Int, _ instruments: FlowInstruments, into sink: any PartSink
  ) async throws(ReactorError) -> PageReading {
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    var timings = response.timings
    guard var body = try await content(of: response, to: resource) else {
      return PageReading(
        status: response.status, headers: response.headers, url: response.url,
        outcome: RecordReader.Outcome(report: PruneReport(), envelope: nil, bytes: 0), timings: timings,
        isEnd: response.meaning == .noRecordsAndEnd)
    }
    let isPaged = declaration.pages != nil
    // Past the last page some servers leave the list out.
    let mayEnd = page > 1 && declaration.pages?.isCounted ?? false
    let isGraphQL = declaration.request.body?.isGraphQL ?? false
    let reader = RecordReader(
      plan: schema.plan, selection: RecordSelection(declaration.records?.value), isStrict: !declaration.prune,
      needsEnvelope: isPaged || isGraphQL || declaration.expect.total != nil, needsTail: isPaged,
      mayLackRecords: isGraphQL || mayEnd, limits: handsOn ? .prompt : RecordLimits(),
      onRejected: letters?.taker(
        page: page, method: resource.method.rawValue, url: shownURL ?? shown.url(of: resource)),
      transform: transform)
    let out = RecordOutput(partOf: schema.plan, format: format, key: key)
    let lines =
      handsOn && (format != .jsonLines || key != nil) ? RecordOutput(partOf: schema.plan, format: .jsonLines) : nil
    var extended = RecordPart()
    var answer: [UInt8]?
    if holdsAnswer {
      let bytes = try await body.collect(upTo: RecordLimits().heldBytes)
      answer = bytes
      body = ResponseBody(bytes: bytes)
    }
    var greatest = declaration.cursor.flatMap { GreatestValue($0.field.value, of: schema.schema) }
    let outcome = try await reader.read(body) { (batch) throws(ReactorError) in
      if batch.isDeletion { return out.append(batch) }
      greatest?.take(batch)
      if let added {
        try added.append(batch, format: format, to: &extended.bytes)
        if lines != nil { try added.append(batch, format: .jsonLines, to: &extended.lines) }
        return
      }
      out.append(batch)
      lines?.append(batch)
    } pause: { () async throws(ReactorError) in
      try await letters?.flush()
      if !extended.isEmpty {
        try await sink.write(extended)
        extended = RecordPart()
      }
      // Whoever takes the records gets them at once.
      guard let piece = handsOn ? out.finish() : out.takePiece(), !piece.isEmpty else { return }
      try await sink.write(RecordPart(piece, lines: lines?.finish() ?? []))
    }
    if !extended.isEmpty { try await sink.write(extended) }
    let rest = RecordPart(out.finish(), lines: lines?.finish() ?? [])
    if !rest.isEmpty { try await sink.write(rest) }
    let page = PageReading(
      status: response.status, headers: response.headers, url: response.url, outcome: outcome, timings: timings)
    if isGraphQL { try page.refuseGraphQLErrors() }
    if let missing = outcome.missing, !mayEnd { throw missing }
    timings.parse = instruments.stopwatch.reading() - start
    return PageReading(
      status: response.status, headers: response.headers, url: response.url, outcome: outcome, timings: timings,
      greatest: greatest, answer: answer)
  }

  func tell(_ outcome: Outcome, isWhole: Bool = false) {
    let before = isWhole ? (pages: 0, records: 0) : told
    instruments.observer(
      .paged(pages: before.pages + outcome.pages, records: before.records + outcome.report.kept))
  }

  /// What later pages tell of themselves: only what went wrong. Their progress is told page by page.
  var quiet: FlowInstruments {
    var quiet = instruments
    let observer = instruments.observer
    quiet.observer = { event in
      switch event {
      case .started, .finished, .received: break
      default: observer(event)
      }
    }
    return quiet
  }
}

extension ReactorError {
  /// The error with the page on which it happened.
  fileprivate func onPage(_ number: Int) -> ReactorError {
    guard kind != .cancelled else { return self }
    var error = self
    error.message = "page \(number): \(message)"
    return error
  }
}
