internal import Boxes
internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// Receives the rows of a run until all have arrived; then one transaction loads them.
///
/// The rows are buffered here and not in the database. So no transaction and no lock is held while a server responds,
/// and a load that failed because of another transaction is run again with the same rows.
struct TableReceiver: ResultReceiver {
  private let result: TableResult
  private let flow: DeclaredFlow
  private let layout: TableLayout
  private let feed: RecordFeed
  @Boxed private var load: TableLoad
  /// The stamp of the table's last load when the run began; nil when nothing was loaded.
  private let stamp: TableStamp?

  /// Creates a receiver without rows.
  ///
  /// - Parameters:
  ///   - base: which load must be the table's last one when the rows are loaded
  ///   - stamp: the stamp of the table's last load
  ///   - run: the run that stages the rows
  init(_ result: TableResult, of flow: DeclaredFlow, from base: TableLoad.Base, _ stamp: TableStamp?, by run: TableRun)
  {
    let plan = flow.plan
    self.result = result
    self.flow = flow
    self.stamp = stamp
    layout = result.table.layout(
      of: result.schema.schema, marksDeletions: plan.records.transform?.deletion != nil)
    feed = result.environment.newFeed()
    var load = TableLoad(
      into: result.table.name, plan.labelsParents ? layout.adding(ParentLabel.column) : layout, mode: plan.loadMode,
      flow: plan.id, provenance: Provenance(writtenAt: 0, resource: 0, schema: 0, recordCount: 0))
    load.base = base
    load.run = run
    load.isFrozen = result.table.isFrozen
    load.keepsVersions = result.table.keepsVersions
    load.rank = plan.cursor?.rank
    if let rank = load.rank, layout.key.contains(rank) { load.rank = nil }
    load.startsAnew = plan.isFullRefresh && plan.result.mode == .append
    self.load = load
  }

  var format: RecordFormat { .jsonLines }
  var receivesLines: Bool { false }

  func encoder(of plan: MappingPlan) -> any RecordEncoder { TableOutput(layout) }

  func write(_ part: RecordChunk) async throws(ReactorError) { await feed.writer.append(part.bytes) }

  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult {
    FinishedResult(count: pulled)
  }

  func content(_ ending: ResultEnding) -> RecordSet.Content {
    .staged(StagedTableResult(result: result, flow: flow, load: completed(ending), feed: feed, ending: ending))
  }

  func isBeside(_ rejected: RejectedRecords) -> Bool { rejected.place.isBeside(result) }

  func unmodified(where isWanted: @escaping @Sendable (Provenance) -> Bool) async -> UnmodifiedResult? {
    guard let stamp, stamp.isIntact, isWanted(stamp.provenance), let run = load.run else { return nil }
    let result = result
    return UnmodifiedResult(result.rows(of: stamp), stamp.provenance, of: flow, format) {
      (provenance) throws(ReactorError) in
      var run = run
      run.ended = provenance.writtenAt
      try await result.database.restamp(result.table.name, stamp, provenance, by: run)
    }
  }

  func discard() async {}

  /// Checks whether the database would accept the load of the result, without loading anything.
  func rehearse() async throws(ReactorError) { try await result.database.rehearse(load) }

  /// The load, completed with the counts and the state that are known at the end of a run.
  private func completed(_ ending: ResultEnding) -> TableLoad {
    var load = load
    // Rows of other parents stay, but not rows of another flow, or of this flow before its declaration changed.
    let continues = stamp.map { flow.plan.mayUse($0.provenance) } ?? false
    if flow.plan.labelsParents, flow.plan.isRetrying || continues {
      load.kept = ending.ledger?.kept(isRetry: flow.plan.isRetrying)
    }
    return load
  }
}

/// The rows of a complete result that are not loaded yet.
struct StagedTableResult: StagedRecords {
  let result: TableResult
  let flow: DeclaredFlow
  @Boxed var load: TableLoad
  let feed: RecordFeed
  let ending: ResultEnding

  func commit() async throws(ReactorError) -> RecordSet {
    feed.writer.finish()
    var load = load
    load.provenance = flow.provenance(ending)
    load.provenance.cursor = ending.state?.inline
    load.run = load.run?.ended(by: load, bytes: ending.bytes)
    load.condition = await result.condition(of: flow.id)
    let isBeside = ending.rejected.map { $0.place.isBeside(result) && !ending.report.isWhollyRejected } ?? false
    let rejected = isBeside ? try await ending.rejected?.staged(load.provenance) : nil
    let stamp: TableStamp
    do throws(ReactorError) {
      stamp = try await result.database.load(load, Database.Rows(of: feed), with: rejected.map { [$0] } ?? [])
    } catch {
      // A process of this run that was stopped after the check of its claim has loaded the records meanwhile.
      guard let run = await flow.repeatedRun, let loaded = try? await result.stamp(), loaded.provenance.run == run,
        flow.plan.mayUse(loaded.provenance)
      else { throw error }
      return result.records(of: loaded)
    }
    if !isBeside { try await ending.rejected?.publish(load.provenance) }
    return result.records(of: stamp)
  }
}

extension TableRun {
  /// The run, completed with the facts that are known when its result is saved.
  fileprivate func ended(by load: TableLoad, bytes: Int) -> TableRun {
    var run = self
    run.ended = load.provenance.writtenAt
    (run.records, run.rejected) = (load.provenance.recordCount, load.provenance.rejectedCount)
    run.bytes = bytes
    run.load = load.id
    return run
  }
}

extension EachLedger {
  /// Which of the existing rows stay in the table, by their parents.
  ///
  /// - Parameter isRetry: whether only some parents were requested
  func kept(isRetry: Bool) -> TableLoad.Kept {
    isRetry || isShort
      ? TableLoad.Kept(column: ParentLabel.column.name, values: records.map(\.key), areReplaced: true)
      : TableLoad.Kept(column: ParentLabel.column.name, values: failed.sorted(), areReplaced: false)
  }
}

extension FlowPlan {
  /// How a load changes the existing rows of the table.
  var loadMode: TableLoad.Mode {
    switch mode {
    // Each row has the identity of its parent, so the rows of the requested parents are replaced.
    case _ where labelsParents: .replace
    case .replace: .replace
    // A full refresh replaces everything that was loaded before.
    case .merge: isFullRefresh ? .replace : .merge
    // A retry adds its records, whatever the mode of the flow. In a table with a key, they replace the rows with equal
    // keys.
    case .append: result.mode == .append || records.schema.schema.key.isEmpty ? .append : .merge
    }
  }
}
