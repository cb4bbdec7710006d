internal import Expressions
internal import FlowSpec
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// All records of the flow, judged by what it expects. Once they are judged, the rejected ones are published whatever
  /// is said of them.
  func pull(
    by network: Network, into spool: RecordSpool?, _ letters: DeadLetters?, _ instruments: FlowInstruments,
    unless kept: KeptResult?, _ cursorRun: CursorRun?
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    let format = spool?.path.format ?? .jsonLines
    let mode = self.mode
    let key = mode == .merge ? schema.schema.key : nil
    let end = resultSink(spool, format, mode)
    let sink: any PartSink =
      feed.map { FeedSink(result: end, writer: $0.writer, takesLines: format != .jsonLines || key != nil) } ?? end
    var pull = Pull(
      declaration: declaration, schema: schema, network: network, instruments: instruments, format: format, key: key,
      letters: letters, shown: request, handsOn: feed != nil,
      transform: RecordTransform(declaration, schema, scope: scope), scope: scope)
    pull.looksAhead = mayAskAhead
    let provenance = Provenance(
      writtenAt: environment.wallClock.milliseconds, resource: resourceKey, schema: schema.fingerprint, recordCount: 0)
    let outcome: Pull.Outcome
    let condition = kept.flatMap { Validators($0.stamp.provenance).condition(request.resource) }
    if condition != nil {
      let judge = network.responseModifier
      pull.network = network.with(
        ResponseModifier { (response) async throws(ReactorError) -> Response in
          response.status == 304 ? response : try await judge.modify(response)
        })
    }
    do throws(ReactorError) {
      if let each = declaration.each {
        let run = EachPull(
          each: each, pull: pull, environment: environment,
          judge: { (answer, sent) throws(ReactorError) in try self.refusals(answer, of: sent) },
          request: { (partition) async throws(ReactorError) in try await self.partitionRequest(partition, cursorRun) })
        guard let items = try await items(each, letters) else { return await nothingAsked(spool, letters) }
        outcome = try await run.run(items, into: sink)
      } else if let cursorRun {
        outcome = try await pull.run(try requests(cursorRun, parent: nil, with: [:]), into: sink)
      } else {
        outcome = try await run(&pull, condition, into: sink)
      }
    } catch {
      guard let letters, letters.holdsVerdict(because: error) else { throw error }
      instruments.observer(.pruned(letters.report))
      throw await letters.publish(provenance, because: error)
    }
    if let kept, condition != nil, outcome.status == 304 {
      await letters?.discard()
      return notModified(kept, outcome, format)
    }
    if outcome.report.rejected > 0 { instruments.observer(.pruned(outcome.report)) }
    if let doubt = outcome.doubt { instruments.observer(.missingFields(doubt.located(in: declaration))) }
    let count: Int
    let state: CursorState?
    do throws(ReactorError) {
      do throws(ReactorError) {
        state = try cursorRun?.state(after: outcome, hasParents: declaration.each != nil)
        let expectations = Expectations(declaration.expect, allowedPrune: allowedPrune)
        try expectations.check(outcome, isWhole: !isRetrying)
        // Of several requests each was compared with its own total.
        if declaration.each == nil, cursor == nil { try expectations.checkTotal(outcome) }
      } catch {
        throw await letters?.publish(provenance, because: error) ?? error
      }
      count = try await end.finish(outcome.report.kept)
      // What was asked for again leaves the file when its answers are kept, not before.
      if !isRetrying || spool == nil { try await letters?.publish(provenance) }
    } catch {
      instruments.observer(.failed(.parse, error))
      throw error
    }
    instruments.observer(.finished(.parse, outcome.timings.parse ?? .zero))
    let set = RecordSet(
      schema: schema.schema, count: count, format: format,
      content: spool.map {
        .file(
          StagedRecords(
            $0, outcome.report, canAskForChanges ? storable(outcome.validators) : Validators(), state,
            letters: isRetrying ? letters : nil))
      } ?? .notKept)
    var parsed = Parsed(
      set, report: outcome.report, bytes: outcome.bytes, status: outcome.status, timings: outcome.timings)
    parsed.pages = outcome.pages
    return parsed
  }

  /// Where the records go: alone, or joined with those that are there.
  private func resultSink(_ spool: RecordSpool?, _ format: RecordFormat, _ mode: PersistenceMode) -> any ResultSink {
    guard let spool else { return SpoolSink(nil, schema.plan, format: format) }
    let old = OlderResult(spool: spool, schema: schema, isForgotten: cursor?.isFullRefresh ?? false)
    switch mode {
    case .replace: return SpoolSink(spool, schema.plan, format: format)
    case .append: return AppendSink(old, format: format)
    case .merge: return MergeSink(old, format: format)
    }
  }
}
