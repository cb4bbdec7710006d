internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Reshape

/// Transforms the records of a response.
///
/// A record is reshaped, changed, or reduced to its key if it is deleted. The records are collected and mapped in
/// rounds, so memory use does not grow with the size of the response. One task owns a pipeline at a time.
final class RecordPipeline {
  /// The origin of a record in a round.
  struct Origin {
    /// The index of the original record in the response.
    var index: Int
    /// The original record, if an expression uses it.
    var source: ExpressionValue?
    /// The text of the original record, if rejected records are collected.
    var text: [UInt8]?
  }

  /// The size of changed records, in bytes, after which a round ends.
  private static let roundBytes = 128 << 10
  /// The number of rejections after which a round ends.
  private static let roundRejections = 1000

  private let transform: RecordTransform
  private let scope: EvaluationScope
  private let isStrict: Bool
  private let needsSource: Bool
  private let stage: RecordStage?
  /// Maps the records of a round.
  private let mapper: RecordScanner
  /// Reads the keys of deleted records.
  private let deleter: RecordScanner?
  private let onRejected: RejectedRecord.Taker?
  /// The records of the round, one per line. A round has only deleted records (`isDeleting`) or only other records.
  private let lines = ByteBuffer(capacity: 4096)
  private var isDeleting = false
  private var origins: [Origin] = []
  private var rejections: [(origin: Origin, error: RecordError)] = []
  private(set) var report = PruneReport()

  init(
    _ transform: RecordTransform, plan: MappingPlan, isStrict: Bool, seeksFields: Bool,
    onRejected: RejectedRecord.Taker? = nil
  ) {
    self.transform = transform
    self.isStrict = isStrict
    self.onRejected = onRejected
    scope = EvaluationScope(transform.scope, now: transform.now)
    stage = RecordStage(transform, plan)
    let added = (transform.change?.add ?? []).flatMap(\.value.references)
    needsSource =
      transform.deletion != nil || stage?.needsSource ?? false || added.contains { $0.root == "source" }
    func scanner(_ plan: MappingPlan, seeksFields: Bool, _ stage: RecordStage?) -> RecordScanner {
      RecordScanner(
        plan: plan, selection: .lines, isStrict: false, seeksFields: seeksFields, limits: RecordLimits.rounds,
        rejections: RecordScanner.Rejections(areListed: true, needReasons: onRejected != nil), stage: stage)
    }
    mapper = scanner(plan, seeksFields: seeksFields, stage)
    deleter = transform.deletion.map { deletion in
      let schema = plan.schema.reading(deletion.key, optionally: deletion.rank)
      let deleter = scanner(MappingPlan(schema), seeksFields: false, nil)
      deleter.batch.isDeletion = true
      return deleter
    }
  }

  /// The fields that no record has and that are probably misspelt.
  var misspeltFields: [MissingField] { mapper.misspeltFields }
  var newMembers: Set<String> { mapper.newMembers }

  // MARK: - Original records

  /// Transforms the records of a batch, which are not mapped yet, and ends the round.
  func take(_ batch: RecordBatch, emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    var rows = RowOrigins(batch)
    for row in 0..<batch.count {
      let text = onRejected == nil ? nil : batch.wholeText(row)
      try take(batch.record(row), Origin(index: rows.next(), text: text), emit)
    }
    try endRound(emit)
  }

  /// Transforms one record. After the last record the caller must call `endRound`.
  func take(
    _ record: JSONValue, at index: Int, emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    try take(record, Origin(index: index, text: onRejected == nil ? nil : JSONWriter.bytes(record)), emit)
  }

  private func take(
    _ record: JSONValue, _ origin: Origin, _ emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    var origin = origin
    if needsSource { origin.source = ExpressionValue(record) }
    let isDeleted: Bool
    do throws(RecordError) {
      isDeleted =
        try transform.deletion?.condition.holds("delete_when", in: scope.with("source", origin.source)) ?? false
    } catch {
      return rejections.append((origin, error))
    }
    // If a record and a deletion have the same key, the later one counts. So they must remain in order.
    if isDeleted != isDeleting { try endRound(emit) }
    isDeleting = isDeleted
    do throws(RecordError) {
      try reshape(record, origin)
    } catch {
      rejections.append((origin, error))
    }
    if lines.count >= Self.roundBytes || rejections.count >= Self.roundRejections { try endRound(emit) }
  }

  private func reshape(_ record: JSONValue, _ origin: Origin) throws(RecordError) {
    if !isDeleting, let stage, try !stage.admits(source: origin.source) { return report.leaveOut() }
    guard let program = transform.recordProgram else { return try add(record, origin) }
    var count = 0
    do throws(ReshapeStop<RecordError>) {
      try program.run(record) { (result) throws(RecordError) in
        count += 1
        try add(result, origin)
      }
    } catch {
      switch error {
      case .failed(let failure): throw RecordError("reshape: \(failure.message)", rule: "reshape")
      case .refused(let error): throw error
      }
    }
    if count == 0 { report.leaveOut() }
  }

  /// Adds a record to the round.
  private func add(_ record: JSONValue, _ origin: Origin) throws(RecordError) {
    var record = record
    if let change = transform.change {
      record = try change.applied(to: record, scope: scope.with("source", origin.source))
    }
    lines.append(json: record)
    lines.append(UInt8(ascii: "\n"))
    origins.append(origin)
  }

  // MARK: - Rounds

  /// Maps the records of the round, and passes the kept records to `emit`.
  func endRound(_ emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    if !origins.isEmpty {
      let scanner = isDeleting ? deleter ?? mapper : mapper
      let (first, leftOut) = (scanner.total, scanner.leftOut)
      stage?.sources = (first, origins.map(\.source))
      let isDeleting = isDeleting
      func take(_ batch: RecordBatch) throws(ReactorError) {
        if isDeleting { report.leaveOut(batch.count) } else { report.keep(batch.count) }
        try emit(batch)
      }
      try lines.withBytes { (bytes) throws(ReactorError) in try scanner.append(bytes, emit: take) }
      try scanner.finish(emit: take)
      report.leaveOut(scanner.leftOut - leftOut)
      rejections += scanner.batch.rejected.map { (origins[$0.index - first], $0.error) }
      lines.removeAll()
      origins.removeAll(keepingCapacity: true)
    }
    rejections.sort { $0.origin.index < $1.origin.index }
    for (origin, error) in rejections {
      report.reject(at: origin.index, because: error.error)
      onRejected?(RejectedRecord(index: origin.index, error, whole: origin.text ?? []))
      if isStrict { throw error.failure(at: origin.index) }
    }
    rejections.removeAll(keepingCapacity: true)
  }
}

/// The indices in the response of a batch's rows, one after the other; rejected records leave gaps.
private struct RowOrigins {
  private var index: Int
  private var rejected: ArraySlice<(index: Int, error: RecordError)>

  init(_ batch: RecordBatch) {
    index = batch.firstIndex
    rejected = batch.rejected[...]
  }

  mutating func next() -> Int {
    while let gap = rejected.first, gap.index == index {
      index += 1
      rejected = rejected.dropFirst()
    }
    defer { index += 1 }
    return index
  }
}
