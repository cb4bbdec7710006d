internal import JSONSyntax
internal import ReactorCore

/// Reads the records of a response into batches by a plan. One task owns a scanner at a time.
final class RecordScanner {
  private let rows: RowReader
  private let scanner: ElementScanner

  /// The treatment of rejected records, besides counting them.
  struct Rejections {
    /// Receives complete rejected records; nil when they are not needed.
    var taker: RejectedRecord.Taker?
    /// Whether the batch lists the rejected records with their index.
    var areListed = false
    /// Whether every rejected record needs its reason, not only the first ones that a report lists.
    var needReasons = false
    /// The records that a decoder could not read; nil for a response that is JSON itself.
    var flaws: RecordFlaws?
  }

  init(
    plan: MappingPlan, selection: RecordSelection, isStrict: Bool, demands: ElementScanner.Demands = .init(),
    seeksFields: Bool = true, limits: RecordLimits, rejections: Rejections = Rejections(), stage: RecordStage? = nil
  ) {
    rows = RowReader(
      plan: plan, isStrict: isStrict, seeksFields: seeksFields, rejections: rejections, stage: stage)
    scanner = Parser.elements(by: rows, at: selection, isStrict: isStrict, demands: demands, limits: limits)
  }

  /// The batch that `emit` receives.
  var batch: RecordBatch { rows.batch }

  /// The number of records found so far.
  var total: Int { scanner.total }

  /// The counts and rejections so far.
  var report: PruneReport {
    var report = scanner.report
    // The scanner counts the records that `where` left out as kept records.
    report.keep(-rows.leftOut)
    report.leaveOut(rows.leftOut)
    return report
  }

  /// The number of records that `where` left out so far.
  var leftOut: Int { rows.leftOut }

  /// The text around the records, if requested.
  var envelope: [UInt8] { scanner.envelope.copy() }

  /// The content of the response around its records, without its long values.
  ///
  /// It is nil when this content is itself too long, or is not an object.
  var outline: JSONValue? { scanner.outline }

  /// The error of a response in which the location of the records is missing; otherwise nil.
  var missing: ReactorError? { scanner.missing }

  /// The last record and the fingerprint, if requested and if the response has records.
  var tail: RecordReader.Tail? {
    scanner.tail.map { RecordReader.Tail(lastRecord: $0.last, fingerprint: $0.fingerprint) }
  }

  /// The fields that no record has and that are probably misspelt.
  var misspeltFields: [MissingField] { rows.misspeltFields }
  var newMembers: Set<String> { rows.newMembers }

  /// Adds bytes; when enough bytes have arrived, maps the records in them and passes the batch to `emit`.
  func append(
    _ bytes: UnsafeBufferPointer<UInt8>, emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    try scanner.append(bytes) { () throws(ReactorError) in if batch.count > 0 { try emit(batch) } }
  }

  /// Adds bytes, as the other `append` does.
  func append(_ bytes: [UInt8], emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(ReactorError) in try append(bytes, emit: emit) }
  }

  /// Maps one JSON value that is in memory.
  func record(of json: JSONValue) throws(RecordError) -> JSONValue {
    var record: JSONValue?
    do throws(ReactorError) {
      try append(JSONWriter.bytes(json)) { (_) throws(ReactorError) in }
      try finish { (batch) throws(ReactorError) in record = batch.record(0) }
    } catch {
      throw RecordError(error.message, rule: "value")
    }
    if let record { return record }
    throw batch.rejected.first?.error ?? RecordError("the value does not match the schema", rule: "value")
  }

  /// Reads the remaining bytes at the end of the response.
  func finish(emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    try scanner.finish { () throws(ReactorError) in if batch.count > 0 { try emit(batch) } }
  }
}

extension RecordLimits {
  /// The limits for a text that is completely in memory.
  ///
  /// The size of the window is not limited, so reading starts only when the whole text has been added.
  static var rounds: RecordLimits {
    var limits = RecordLimits()
    limits.windowBytes = .max
    return limits
  }
}
