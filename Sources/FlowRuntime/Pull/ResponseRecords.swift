internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Reads the records of one response and writes them to a sink.
///
/// One task uses the object, for one response.
final class ResponseRecords {
  /// Reads the response.
  let reader: RecordReader
  private let sink: any RecordSink
  private let rejected: RejectedRecords?
  private let added: AddedFields?
  private let receiver: any ResultReceiver
  private let handsOn: Bool
  private let out: any RecordEncoder
  /// Encodes the records as JSON Lines, for child flows of a result in another format; else nil.
  private let lines: RecordOutput?
  private var extended = RecordChunk()
  /// The keys of the records if repeated keys are searched for; else nil.
  let keys: PageKeyReader?
  /// The keys of a parent's records, which are compared with those of the other parents; nil without parents or a key.
  let parentKeys: ParentKeyReader?
  private let cursor: Cursor?
  /// The present time or date as text: greater cursor values are in the future. Nil for a cursor without times.
  private let limit: String?
  private(set) var greatest: GreatestValue?
  /// Identities of the records that earlier runs rejected and that this response delivers.
  ///
  /// Such a record arrived as a valid record, or was deleted.
  private(set) var delivered: Set<UInt64> = []

  init(
    _ pull: Pull, of resource: Resource, page: Int, _ demands: Demands, flaws: RecordFlaws?, at path: JSONPath?,
    into sink: any RecordSink
  ) {
    let plan = pull.plan.records
    var reader = RecordReader(
      plan: plan.schema.plan, selection: RecordSelection(path), isStrict: plan.isStrict,
      limits: pull.handsOn ? .prompt : RecordLimits(),
      onRejected: pull.rejected?.taker(
        page: page, method: resource.method.rawValue, url: pull.shownURL ?? pull.plan.request.url(of: resource),
        requested: pull.requested, transform: pull.transform),
      transform: pull.transform)
    reader.flaws = flaws
    reader.needsEnvelope =
      demands.isPaged || demands.isGraphQL || plan.expectations.total != nil
      || pull.plan.cursor?.token != nil
    // Without records, the rest of the response distinguishes an empty result from an error.
    reader.wantsOutline = pull.judgesPages || !reader.needsEnvelope
    reader.needsTail = demands.isPaged
    reader.seeksFields = pull.seeksFields
    reader.mayLackRecords = demands.isGraphQL || demands.mayEnd
    self.reader = reader
    self.sink = sink
    rejected = pull.rejected
    added = pull.added
    receiver = pull.receiver
    handsOn = pull.handsOn
    out = receiver.encoder(of: plan.schema.plan)
    lines =
      pull.handsOn && !receiver.receivesLines
      ? RecordOutput(partOf: plan.schema.plan, format: .jsonLines) : nil
    keys = demands.readsKeys ? PageKeyReader(plan.schema.plan, key: plan.schema.schema.key) : nil
    parentKeys =
      pull.plan.each == nil || pull.plan.result.target == nil
      ? nil : ParentKeyReader(plan.schema.plan, key: plan.schema.schema.key)
    cursor = pull.plan.cursor
    limit = cursor.flatMap { $0.present(pull.flow.environment.wallClock.now) }
    greatest = cursor?.rank.flatMap { GreatestValue($0, of: plan.schema.schema, limit: limit) }
  }

  /// The parts of a response that the pull needs besides the records.
  struct Demands {
    let isPaged: Bool
    /// Whether the list of records may be missing. Some servers omit the list in the response after the final page.
    let mayEnd: Bool
    let isGraphQL: Bool
    /// Whether repeated keys are counted: in a list that may change while it is read, or whose total is compared.
    let readsKeys: Bool

    /// Creates demands for the records alone, without any other part of the response.
    init() { (isPaged, mayEnd, isGraphQL, readsKeys) = (false, false, false, false) }

    init(_ plan: FlowPlan, page: Int) {
      isPaged = plan.pages != nil
      mayEnd = page > 1 && plan.pages?.isCounted ?? false
      isGraphQL = (plan.job?.download ?? plan.request).isGraphQL
      readsKeys = plan.pages.map { $0.isCounted || plan.records.expectations.total != nil } ?? false
    }
  }

  /// Encodes the records of a batch, and collects their keys and cursor values.
  func take(_ batch: RecordBatch) throws(ReactorError) {
    if let rejected, !rejected.pending.isEmpty { delivered.formUnion(rejected.delivered(in: batch)) }
    if batch.isDeletion {
      takePositions(ofDeleted: batch)
      return try out.append(batch)
    }
    greatest?.take(batch)
    keys?.take(batch)
    parentKeys?.take(batch)
    if let added {
      try added.append(batch, format: receiver.format, to: &extended.bytes)
      if lines != nil { try added.append(batch, format: .jsonLines, to: &extended.lines) }
      return
    }
    try out.append(batch)
    lines?.append(batch)
  }

  /// Adds the cursor values of deleted records. Of such a record, only the key and this field are read.
  private func takePositions(ofDeleted batch: RecordBatch) {
    guard let rank = cursor?.rank, greatest != nil else { return }
    guard let own = GreatestValue(rank, in: batch, limit: limit) else { return }
    greatest?.take(present: own)
  }

  /// Writes the pending records between two batches.
  func pause() async throws(ReactorError) {
    if let rejected { try await rejected.flush() }
    if !extended.isEmpty { try await writeExtended() }
    // Child flows get the records immediately.
    guard let piece = handsOn ? out.finish() : out.takePiece(), !piece.isEmpty else { return }
    try await sink.write(RecordChunk(piece, lines: lines?.finish() ?? []))
  }

  /// Writes the remaining records.
  func finish() async throws(ReactorError) {
    if !extended.isEmpty { try await writeExtended() }
    let rest = RecordChunk(out.finish(), lines: lines?.finish() ?? [])
    if !rest.isEmpty { try await sink.write(rest) }
  }

  private func writeExtended() async throws(ReactorError) {
    let part = extended
    extended = RecordChunk()
    try await sink.write(part)
  }
}
