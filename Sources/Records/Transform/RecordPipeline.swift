internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Reshape

/// The way of records that are more than read: rounds of some records go through all stages together, so that memory
/// does not grow with a response. One task owns a pipeline at a time.
final class RecordPipeline {
  /// Where a record of a round comes from.
  struct Origin {
    /// Its place in the response.
    var index: Int
    /// The record as it came, where something asks for it.
    var source: ExpressionValue?
    /// Its text, where rejected records are kept.
    var text: [UInt8]?
  }

  /// Bytes of changed records that make a round.
  private static let roundBytes = 128 << 10

  let transform: RecordTransform
  let computed: ComputedFields
  private let isStrict: Bool
  private let needsSource: Bool
  /// Whether `source` alone decides which records are kept: then they need not fit the schema to be left out.
  private let judgesSource: Bool
  /// Whether mapped records are looked at one by one.
  private let judgesRecords: Bool
  private let usesRecord: Bool
  /// Maps the changed records of a round.
  private let mapper: RecordScanner
  /// Reads records with their computed fields by the types of these.
  private let finisher: RecordScanner?
  private let lines = ByteBuffer(capacity: 4096)
  private let finished = ByteBuffer(capacity: 4096)
  /// Reads the keys of records that are gone, and those of the round; a round holds either these or records.
  private let deleter: RecordScanner?
  private var isDeleting = false
  private var origins: [Origin] = []
  private var finishedOrigins: [Origin] = []
  private var rejections: [(origin: Origin, refusal: RecordError)] = []
  private let onRejected: RejectedRecord.Taker?
  private(set) var report = PruneReport()

  init(
    _ transform: RecordTransform, plan: MappingPlan, isStrict: Bool, seeksFields: Bool,
    onRejected: RejectedRecord.Taker? = nil
  ) {
    self.onRejected = onRejected
    self.transform = transform
    self.isStrict = isStrict
    let schema = plan.schema
    computed = ComputedFields(schema)
    let asked = (transform.condition?.references ?? []).map(\.root)
    let added = (transform.change?.add ?? []).flatMap(\.value.references)
    needsSource =
      transform.deletion != nil || asked.contains("source") || computed.usesSource
      || added.contains { $0.root == "source" }
    judgesSource = asked.contains("source") && !asked.contains("record")
    judgesRecords = transform.condition != nil && !judgesSource
    usesRecord = asked.contains("record")
    let mapping = computed.isEmpty ? plan : MappingPlan(schema.withoutComputed)
    mapper = Self.scanner(mapping, keepsReasons: onRejected != nil, seeksFields: seeksFields)
    deleter = transform.deletion.map { deletion in
      let fields = schema.fields.filter { deletion.key.contains($0.name) }
      let scanner = Self.scanner(
        MappingPlan(RecordSchema(name: schema.name, fields: fields)), keepsReasons: onRejected != nil)
      scanner.batch.isDeletion = true
      return scanner
    }
    finisher = computed.isEmpty ? nil : Self.scanner(MappingPlan(schema.persisted), keepsReasons: onRejected != nil)
  }

  private static func scanner(_ plan: MappingPlan, keepsReasons: Bool, seeksFields: Bool = false) -> RecordScanner {
    RecordScanner(
      plan: plan, selection: .lines, isStrict: false, seeksFields: seeksFields, limits: RecordLimits.rounds,
      rejections: RecordScanner.Rejections(areListed: true, needReasons: keepsReasons))
  }

  /// The fields that no record has and that look misspelt.
  var misspeltFields: [MissingField] { mapper.misspeltFields }

  // MARK: - Records as they came

  /// Takes records that were kept whole.
  func take(_ batch: RecordBatch, emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    var rows = RowOrigins(batch)
    let keepsText =
      !needsSource && !judgesSource && transform.recordProgram == nil && transform.change == nil
    let out = ByteBuffer(capacity: 256)
    for row in 0..<batch.count {
      let index = rows.next()
      if keepsText {
        let start = lines.count
        batch.append(row, to: lines)
        origins.append(
          Origin(index: index, text: onRejected == nil ? nil : Array(lines.bytes[start..<lines.count])))
        lines.append(UInt8(ascii: "\n"))
      } else {
        out.removeAll()
        batch.append(row, to: out)
        // What the writer writes is JSON by construction.
        let text = out.copy()
        try take(
          (try? JSONValue(parsing: text)) ?? .null, Origin(index: index, text: onRejected == nil ? nil : text), emit)
      }
      if lines.count >= Self.roundBytes { try endRound(emit) }
    }
    try endRound(emit)
  }

  /// Takes one record; the round is ended by the caller.
  func take(
    _ record: JSONValue, at index: Int, emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    try take(record, Origin(index: index, text: onRejected == nil ? nil : JSONWriter.bytes(record)), emit)
    if lines.count >= Self.roundBytes || rejections.count >= 1000 { try endRound(emit) }
  }

  private func take(
    _ record: JSONValue, _ origin: Origin, _ emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    let source = needsSource ? ExpressionValue(record) : nil
    if transform.deletion != nil {
      let isGone: Bool
      do throws(RecordError) {
        isGone = try answer("delete_when", scope(source))
      } catch {
        return rejections.append((origin, error))
      }
      // What comes later counts: records and those that are gone keep their order.
      if isGone != isDeleting, !origins.isEmpty { try endRound(emit) }
      isDeleting = isGone
    }
    take(record, origin, source)
  }

  private func take(_ record: JSONValue, _ origin: Origin, _ source: ExpressionValue?) {
    var origin = origin
    do throws(RecordError) {
      origin.source = source
      if judgesSource, !isDeleting {
        guard try satisfies(scope(source)) else {
          return report.leaveOut()
        }
      }
      guard let program = transform.recordProgram else {
        return try add(record, origin)
      }
      var count = 0
      do throws(ReshapeStop<RecordError>) {
        try program.run(record) { (result) throws(RecordError) in
          count += 1
          try add(result, origin)
        }
      } catch {
        switch error {
        case .failed(let failure): throw RecordError("reshape: \(failure.message)", rule: "reshape")
        case .refused(let refusal): throw refusal
        }
      }
      if count == 0 { report.leaveOut() }
    } catch {
      rejections.append((origin, error))
    }
  }

  private func add(_ record: JSONValue, _ origin: Origin) throws(RecordError) {
    var record = record
    if let change = transform.change {
      let scope = scope(origin.source)
      record = try change.applied(to: record, scope: scope)
    }
    lines.append(json: record)
    lines.append(UInt8(ascii: "\n"))
    origins.append(origin)
  }

  // MARK: - Rounds

  /// Maps what has come together, and gives what is kept of it to `emit`.
  func endRound(_ emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    if isDeleting, let deleter, !origins.isEmpty {
      try delete(by: deleter, emit)
    } else if !origins.isEmpty {
      let first = mapper.total
      try Self.read(lines, with: mapper) { (batch) throws(ReactorError) in
        try judge(batch, first: first, emit)
      }
      for refusal in mapper.batch.refused {
        rejections.append((origins[refusal.index - first], refusal.refusal))
      }
      try finish(emit)
    }
    lines.removeAll()
    origins.removeAll(keepingCapacity: true)
    guard !rejections.isEmpty else { return }
    rejections.sort { $0.origin.index < $1.origin.index }
    for (origin, refusal) in rejections {
      let index = origin.index
      report.reject(at: index, because: refusal.error)
      onRejected?(RejectedRecord(index: index, refusal, whole: origin.text ?? []))
      if isStrict { throw refusal.failure(at: index) }
    }
    rejections.removeAll(keepingCapacity: true)
  }

  /// Gives the keys of records that are gone to `emit`.
  private func delete(
    by deleter: RecordScanner, _ emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    let first = deleter.total
    try Self.read(lines, with: deleter) { (batch) throws(ReactorError) in
      report.leaveOut(batch.count)
      try emit(batch)
    }
    for refusal in deleter.batch.refused { rejections.append((origins[refusal.index - first], refusal.refusal)) }
  }

  private static func read(
    _ lines: ByteBuffer, with scanner: RecordScanner, emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    try lines.withBytes { (bytes) throws(ReactorError) in try scanner.append(bytes, emit: emit) }
    try scanner.finish(emit: emit)
  }

  /// Looks at mapped records: computes what is computed, and asks the condition.
  private func judge(
    _ batch: RecordBatch, first: Int, _ emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    guard judgesRecords || finisher != nil else {
      report.keep(batch.count)
      return try emit(batch)
    }
    var rows = RowOrigins(batch)
    var kept: [Int] = []
    for row in 0..<batch.count {
      let origin = origins[rows.next() - first]
      do throws(RecordError) {
        guard try judge(batch.record(row), origin) else {
          report.leaveOut()
          continue
        }
        if finisher == nil { kept.append(row) }
      } catch {
        rejections.append((origin, error))
      }
    }
    guard finisher == nil, !kept.isEmpty else { return }
    batch.keepRows(kept)
    report.keep(kept.count)
    try emit(batch)
  }

  /// Whether one record is kept; with computed fields it goes on to the finisher.
  private func judge(_ record: JSONValue, _ origin: Origin) throws(RecordError) -> Bool {
    var scope = scope(origin.source)
    scope.values["record"] = ExpressionValue(record, as: transform.recordType)
    guard finisher != nil, case .object(var object) = record else {
      return judgesRecords ? try satisfies(scope) : true
    }
    try computed.add(to: &object, scope: &scope, type: transform.recordType)
    if judgesRecords {
      if usesRecord { scope.values["record"] = ExpressionValue(.object(object), as: transform.recordType) }
      guard try satisfies(scope) else { return false }
    }
    finished.append(json: .object(object))
    finished.append(UInt8(ascii: "\n"))
    finishedOrigins.append(origin)
    return true
  }

  private func finish(_ emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    guard let finisher, !finishedOrigins.isEmpty else { return }
    let first = finisher.total
    try Self.read(finished, with: finisher) { (batch) throws(ReactorError) in
      report.keep(batch.count)
      try emit(batch)
    }
    for refusal in finisher.batch.refused {
      rejections.append((finishedOrigins[refusal.index - first], refusal.refusal))
    }
    finished.removeAll()
    finishedOrigins.removeAll(keepingCapacity: true)
  }

  private func scope(_ source: ExpressionValue?) -> EvaluationScope {
    var scope = EvaluationScope(transform.scope, now: transform.now)
    scope.values["source"] = source
    return scope
  }

  private func satisfies(_ scope: EvaluationScope) throws(RecordError) -> Bool { try answer("where", scope) }

  /// What a condition says of a record: `where`, or `delete_when`.
  private func answer(_ key: String, _ scope: EvaluationScope) throws(RecordError) -> Bool {
    guard let condition = key == "where" ? transform.condition : transform.deletion?.condition else { return true }
    let value: ExpressionValue
    do throws(EvaluationError) {
      value = try condition.evaluate(in: scope, now: transform.now)
    } catch {
      throw RecordError("'\(key)' cannot be answered: \(error.message)", rule: key)
    }
    switch value {
    case .bool(let answer), .json(.bool(let answer)): return answer
    default: throw RecordError("'\(key)' must give true or false, found \(value.typeName)", rule: key)
    }
  }
}

/// The places in the response of a batch's rows, one after the other: what was refused leaves gaps.
private struct RowOrigins {
  private var index: Int
  private var refused: ArraySlice<(index: Int, refusal: RecordError)>

  init(_ batch: RecordBatch) {
    index = batch.firstIndex
    refused = batch.refused[...]
  }

  mutating func next() -> Int {
    while let gap = refused.first, gap.index == index {
      index += 1
      refused = refused.dropFirst()
    }
    defer { index += 1 }
    return index
  }
}
