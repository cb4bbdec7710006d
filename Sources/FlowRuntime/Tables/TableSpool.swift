internal import Databases
internal import FlowTerms
internal import ReactorCore
internal import Records
internal import Storage

/// Stages the rows of a run until all have arrived; then one transaction loads them.
///
/// The rows are buffered here and not in the database. So no transaction and no lock is held while a server responds,
/// and a load that another transaction disturbed is run again with the same rows.
final class TableSpool: RecordFile {
  let result: TableResult
  let layout: TableLayout
  private let feed: RecordFeed
  private let load: TableLoad
  /// Whether the table has the rows of an earlier run of the same flow.
  let continues: Bool
  /// The report of the pull, its validators and the state to remember; set when the pull has ended.
  let ending: Ending?

  /// What a pull knows at its end.
  struct Ending: Sendable {
    let report: PruneReport
    /// The number of decoded bytes that were received.
    let bytes: Int
    /// Which rows of the table stay; nil for none besides those that the mode leaves.
    var kept: TableLoad.Kept?
    let validators: Validators
    let state: CursorState?
    /// The rejected records, if they are published with the load or after it.
    let rejected: RejectedRecords?
    /// The same, if they are stored in the transaction of the load.
    let rejectedBeside: RejectedRecords?
  }

  /// Creates an empty spool.
  ///
  /// - Parameters:
  ///   - base: which earlier load the rows continue from
  ///   - run: the run that stages the rows
  init(_ result: TableResult, _ plan: FlowPlan, base: TableLoad.Base, run: TableRun) {
    continues = if case .stamp(let stamp?) = base { plan.mayUse(stamp.provenance) } else { false }
    let layout = result.table.layout(
      of: result.schema.schema, marksDeletions: plan.records.transform?.deletion != nil)
    self.result = result
    self.layout = layout
    feed = result.environment.newFeed()
    ending = nil
    var load = TableLoad(
      into: result.table.name, plan.labelsParents ? layout.adding(ParentLabel.column) : layout, mode: plan.loadMode,
      flow: plan.id,
      provenance: Provenance(writtenAt: 0, resource: 0, schema: 0, recordCount: 0))
    load.base = base
    load.run = run
    load.isFrozen = result.table.isFrozen
    load.keepsVersions = result.table.keepsVersions
    load.startsAnew = plan.isFullRefresh && plan.result.mode == .append
    self.load = load
  }

  private init(_ spool: TableSpool, _ ending: Ending) {
    (result, layout, feed, load) = (spool.result, spool.layout, spool.feed, spool.load)
    continues = spool.continues
    self.ending = ending
  }

  /// The same spool at the end of a pull.
  func ended(_ ending: Ending) -> TableSpool { TableSpool(self, ending) }

  func write(_ rows: [UInt8]) async { await feed.writer.append(rows) }

  /// Loads the rows.
  func publish(_ provenance: Provenance) async throws(ReactorError) -> TableStamp {
    feed.writer.finish()
    var load = load
    load.provenance = provenance
    load.kept = ending?.kept
    load.run = load.run?.ended(by: load, bytes: ending?.bytes ?? 0)
    let rejected = try await ending?.rejectedBeside?.staged(provenance)
    return try await result.database.load(load, Database.Rows(of: feed), with: rejected.map { [$0] } ?? [])
  }

  /// Asks the database whether it would accept the load.
  func rehearse() async throws(ReactorError) { try await result.database.rehearse(load) }

  func body() async throws(ReactorError) -> ResponseBody {
    throw .persistence("\(result.table.text) is not saved yet", path: result.table.text)
  }
}

extension TableRun {
  /// The run with what it knows when it saves.
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
  /// The rows of parents that stay in a table.
  ///
  /// - Parameter isRetry: whether only some parents were asked for
  func kept(isRetry: Bool) -> TableLoad.Kept {
    isRetry || isShort
      ? TableLoad.Kept(column: ParentLabel.column.name, values: records.map(\.key), areReplaced: true)
      : TableLoad.Kept(column: ParentLabel.column.name, values: failed.sorted(), areReplaced: false)
  }
}

/// Writes the rows of a pull to the spool.
struct TableSink: ResultSink {
  let spool: TableSpool

  func write(_ part: RecordChunk) async throws(ReactorError) { await spool.write(part.bytes) }

  func finish(_ pulled: Int) async throws(ReactorError) -> Int { pulled }
}

extension FlowPlan {
  /// What a load does with the rows that are in the table.
  var loadMode: TableLoad.Mode {
    switch mode {
    // A retry replaces the rows of the parents that it asks for.
    case _ where labelsParents: .replace
    case .replace: .replace
    // A full refresh replaces everything that was loaded before.
    case .merge: isFullRefresh ? .replace : .merge
    // A retry adds its records to a result of another mode. The key of such a table says which rows they replace.
    case .append: result.mode == .append || records.schema.schema.key.isEmpty ? .append : .merge
    }
  }
}
