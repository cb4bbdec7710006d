internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// One run of a flow, from the first request to the staged result.
///
/// Its methods run one after the other. One task uses the object, once.
final class FlowPull {
  private let flow: DeclaredFlow
  private let pull: Pull
  private let instruments: FlowInstruments
  private let receiver: any ResultReceiver
  private let rejected: RejectedRecords?
  /// The persisted result, and the conditional request that checks whether it is unmodified.
  private let persisted: UnmodifiedResult?
  private let condition: Resource?
  /// The remembered state from which an incremental flow continues.
  private let known: CursorState?
  private let cursorRun: CursorRun?
  private let provenance: Provenance
  private let sink: any RecordSink
  private var outcome: Pull.Outcome
  /// The slices that are left when others were read; nil at the start of a run.
  private let earlier: Checkpoint?
  /// Where the run goes on after its result is published; nil at the end.
  private(set) var checkpoint: Checkpoint?
  private var ledger: EachLedger?
  private var state: CursorState?
  private var count = 0

  init(
    _ flow: DeclaredFlow, by network: Network, into receiver: any ResultReceiver, _ rejected: RejectedRecords?,
    _ instruments: FlowInstruments, unless persisted: UnmodifiedResult?, _ known: CursorState?,
    after earlier: Checkpoint? = nil
  ) {
    self.earlier = earlier
    outcome = earlier?.outcome ?? Pull.Outcome()
    self.flow = flow
    self.instruments = instruments
    self.receiver = receiver
    self.rejected = rejected
    self.persisted = persisted
    self.known = known
    let cursorRun =
      earlier?.run
      ?? known.flatMap { known in
        flow.plan.cursor.map {
          CursorRun(cursor: $0, now: flow.environment.wallClock.now, since: flow.plan.since, state: known)
        }
      }
    self.cursorRun = cursorRun
    if flow.streamsRecords, let feed = flow.feed {
      sink = FeedSink(result: receiver, writer: feed.writer, takesLines: !receiver.receivesLines)
    } else {
      sink = receiver
    }
    provenance = Provenance(
      writtenAt: flow.environment.wallClock.milliseconds, resource: flow.plan.key,
      schema: flow.plan.records.schema.fingerprint, recordCount: 0)
    condition = persisted.flatMap { Validators($0.provenance).condition(flow.plan.request.resource) }
    var pull = Pull(
      flow: flow, receiver: receiver, rejected: rejected, network: network, instruments: instruments)
    if flow.plan.cursor?.keepsPart ?? false {
      pull.deadline = instruments.stopwatch.reading() + .seconds(flow.plan.timeout)
    }
    if flow.plan.hasCheckpoints {
      pull.checkpoint = instruments.stopwatch.reading() + (earlier?.interval ?? Checkpoint.interval)
    }
    if let earlier {
      pull.deadline = earlier.deadline
      pull.slicesBefore = earlier.count
      pull.network = network.withoutReachabilityCheck()
      pull.reported = (earlier.outcome.pages, earlier.outcome.report.kept)
    }
    if condition != nil {
      let judge = network.responseModifier
      pull.network = network.with(
        ResponseModifier { (response) async throws(ReactorError) -> Response in
          response.status == 304 ? response : try await judge.modify(response)
        })
    }
    if flow.plan.each == nil, cursorRun == nil { pull.remake = flow.remake(with: [:]) }
    self.pull = pull
  }

  /// Requests all records of the flow and checks them against its expectations.
  ///
  /// After the check, the rejected records are published even if the check fails.
  func run() async throws(ReactorError) -> Fetched<RecordSet> {
    if flow.plan.download != nil { flow.environment.downloads.begin(flow.id) }
    do throws(ReactorError) {
      guard try await ask() else {
        tellUndelivered()
        return await flow.endWithoutRequest(receiver, rejected)
      }
    } catch {
      throw await verdict(after: error)
    }
    if isUnchanged { return await unchanged() }
    reportProgress()
    do throws(ReactorError) {
      try await conclude()
    } catch {
      instruments.observer(.failed(.parse, error))
      throw error
    }
    return result()
  }

  // MARK: - Requests

  /// Sends the requests; returns false when there is nothing to request.
  private func ask() async throws(ReactorError) -> Bool {
    if flow.plan.each != nil { return try await askForEach() }
    if cursorRun != nil { return try await askForNews() }
    try await askOnce()
    return true
  }

  private func askForEach() async throws(ReactorError) -> Bool {
    guard let each = flow.plan.each else { return false }
    let (flow, cursorRun) = (flow, cursorRun)
    let memory = flow.eachMemory(each, known, receiver.spool)
    let run = EachPull(
      each: each, pull: pull, environment: flow.environment, memory: memory,
      judge: { (responseBytes, sent) throws(ReactorError) in try flow.refusals(responseBytes, of: sent) },
      request: { (partition) async throws(ReactorError) in try await flow.partitionRequest(partition, cursorRun) })
    guard let items = try await flow.items(each, rejected, memory.changed) else { return false }
    let (outcome, ledger) = try await run.run(items, into: sink)
    (self.outcome, self.ledger) = (outcome, ledger)
    return true
  }

  private func askForNews() async throws(ReactorError) -> Bool {
    guard let cursorRun else { return false }
    var ranges: [CursorRange]?
    if flow.plan.isRetrying, let rejected {
      ranges = try await flow.rejectedParts(rejected).first?.ranges
      guard ranges != nil else { return false }
    }
    let requests = try flow.requests(cursorRun, parent: nil, with: [:], ranges: earlier?.ranges ?? ranges)
    let part = try await pull.runRanges(requests, into: sink)
    if earlier == nil { outcome = part } else { outcome.go(on: part) }
    if !part.left.isEmpty {
      checkpoint = Checkpoint(
        run: cursorRun, known: known, ranges: part.left, outcome: outcome,
        count: pull.slicesBefore + requests.count - part.left.count, deadline: pull.deadline)
    }
    return true
  }

  private func askOnce() async throws(ReactorError) {
    outcome = try await pull.run(try resource(), into: sink)
  }

  /// The flow's own request. Its templates may use `page`.
  private func resource() throws(ReactorError) -> Resource {
    flow.plan.request.program == nil ? condition ?? flow.plan.request.resource : try flow.resource(with: [:])
  }

  // MARK: - Checks

  /// The error to throw after an error during the requests. Publishes the rejected records if they can be judged.
  private func verdict(after error: ReactorError) async -> ReactorError {
    guard let rejected, rejected.holdsVerdict(because: error) else { return error }
    instruments.observer(.pruned(rejected.report))
    return await rejected.publish(provenance, because: error)
  }

  private var isUnchanged: Bool { persisted != nil && condition != nil && outcome.status == 304 }

  private func unchanged() async -> Fetched<RecordSet> {
    await rejected?.discard()
    guard let persisted else { return result() }
    return flow.notModified(persisted, outcome)
  }

  private func reportProgress() {
    if outcome.report.rejected > 0 { instruments.observer(.pruned(outcome.report)) }
    if let doubt = outcome.doubt ?? undated {
      instruments.observer(.missingFields(flow.plan.origin.locations.located(doubt)))
    }
  }

  /// The records that no position counts; nil if there are none.
  private var undated: ReactorError? {
    guard let cursor = flow.plan.cursor, cursor.keepsUndated, let count = outcome.greatest?.absent, count > 0 else {
      return nil
    }
    var error = ReactorError(
      .parser,
      "\(Expectations.records(count)) without a value in '\(cursor.field.value)' kept; no position counts them")
    error.key = "cursor.missing"
    error.help = "see whether the server leaves the field out for good; 'missing: reject' rejects such records"
    return error
  }

  private func conclude() async throws(ReactorError) {
    do throws(ReactorError) {
      try judge()
    } catch {
      throw await refusal(error)
    }
    tellUndelivered()
    try await finish()
    if let rejected, !isRejectedCommitted { try await rejected.publish(provenance) }
    instruments.observer(.finished(.parse, outcome.timings.parse ?? .zero))
  }

  /// Notes which rejected records of earlier runs are persisted with this result.
  ///
  /// After a retry it also reports how many are not.
  private func tellUndelivered() {
    guard let rejected, let error = flow.undelivered(rejected.note(delivered: outcome.delivered)) else { return }
    if outcome.cut == nil { instruments.observer(.cutShort(error)) }
    outcome.cut = outcome.cut ?? error
  }

  private func finish() async throws(ReactorError) {
    let finished = try await receiver.finish(outcome.report.kept, of: ledger?.records ?? [])
    count = finished.count
    if let parents = finished.parents { state?.records = parents }
    // The result also contains the records retained from an earlier run.
    if flow.plan.mode == .replace, let ledger {
      count += ledger.records.reduce(0) { $0 + ($1.since == nil ? 0 : $1.count) }
    }
  }

  private func judge() throws(ReactorError) {
    if flow.plan.download != nil, let clash = flow.environment.downloads.clash(of: flow.id) { throw clash }
    if flow.plan.isFullRefresh, let cut = outcome.cut { throw Self.incompleteRefresh(cut) }
    state = try flow.state(after: outcome, ledger, known, cursorRun)
    if flow.plan.isIncremental { instruments.observer(.advanced(from: known?.position, to: state?.position)) }
    let expectations = flow.plan.records.expectations
    try expectations.check(outcome, allowing: flow.plan.records.allowedPrune, isWhole: !flow.plan.isRetrying)
    // With several requests, each one was already compared with its own total.
    if flow.plan.each == nil, flow.plan.cursor == nil { try expectations.checkTotal(outcome) }
  }

  /// The error of a full refresh that did not read all records. To persist its result would lose the missing records.
  private static func incompleteRefresh(_ cut: ReactorError) -> ReactorError {
    var error = cut
    error.message = "the result cannot be made anew from less than all: \(cut.message)"
    error.help =
      "run it again with --full-refresh when all can be read; the result and what is remembered are unchanged"
    return error
  }

  private func refusal(_ error: ReactorError) async -> ReactorError {
    await rejected?.publish(provenance, because: error) ?? error
  }

  /// Whether the rejected records are published when the result is committed, and not before.
  ///
  /// A retried record leaves the rejected records only after its new response is persisted. A result of which no record
  /// fits is never committed.
  private var isRejectedCommitted: Bool {
    guard let rejected else { return false }
    if flow.plan.isRetrying, flow.plan.result.target != nil { return true }
    return receiver.isBeside(rejected) && !outcome.report.isWhollyRejected
  }

  private func result() -> Fetched<RecordSet> {
    let ending = ResultEnding(
      report: outcome.report, count: count, bytes: outcome.bytes,
      validators: flow.plan.canAskForChanges ? flow.storable(outcome.validators) : Validators(), state: state,
      ledger: ledger, rejected: isRejectedCommitted ? rejected : nil)
    let set = RecordSet(
      schema: flow.plan.records.schema.schema, count: count, format: receiver.format,
      content: receiver.content(ending))
    return Fetched(
      set,
      FetchSummary(
        report: outcome.report, pages: outcome.pages, bytes: outcome.bytes, status: outcome.status,
        shortfall: outcome.cut, timings: outcome.timings))
  }
}
