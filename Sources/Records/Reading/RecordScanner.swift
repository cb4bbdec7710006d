internal import JSONSyntax
internal import ReactorCore

/// Reads the records of a response into batches by a plan. One task owns a scanner at a time.
final class RecordScanner {
  private let rows: RowReader
  private let scanner: ElementScanner

  /// What becomes of the records that do not fit, besides being counted.
  struct Rejections {
    /// Takes them whole; nil when nobody wants them.
    var taker: RejectedRecord.Taker?
    /// Whether the batch lists them with their index.
    var areListed = false
    /// Whether all of them need their reason, beyond the first ones that a report lists.
    var needReasons = false
  }

  init(
    plan: MappingPlan, selection: RecordSelection, isStrict: Bool, demands: ElementScanner.Demands = .init(),
    seeksFields: Bool = true, limits: RecordLimits, rejections: Rejections = Rejections(), stage: RecordStage? = nil
  ) {
    rows = RowReader(
      plan: plan, isStrict: isStrict, seeksFields: seeksFields, rejections: rejections, stage: stage)
    scanner = ElementScanner(rows, at: selection, isStrict: isStrict, demands: demands, limits: limits)
  }

  /// The batch that is given to `emit`.
  var batch: RecordBatch { rows.batch }

  /// Records found so far.
  var total: Int { scanner.total }

  /// What was found so far.
  var report: PruneReport {
    var report = scanner.report
    // The scanner knows only that they were not rejected.
    report.keep(-rows.leftOut)
    report.leaveOut(rows.leftOut)
    return report
  }

  /// Records that `where` left out so far.
  var leftOut: Int { rows.leftOut }

  /// The text around the records, where it was wanted.
  var envelope: [UInt8] { scanner.envelope.copy() }

  /// What the response says around its records, without its long values; nil when that alone is long, or is no object.
  var outline: JSONValue? { scanner.outline }

  /// The error of a response that does not have the records' location; nil when it has it.
  var missing: ReactorError? { scanner.missing }

  /// What was wanted of the records as they came, if there are any.
  var tail: RecordReader.Tail? {
    scanner.tail.map { RecordReader.Tail(lastRecord: $0.last, fingerprint: $0.fingerprint) }
  }

  /// The fields that no record has and that look misspelt.
  var misspeltFields: [MissingField] { rows.misspeltFields }

  /// Takes bytes; when enough are there, maps the records among them and gives the batch to `emit`.
  func append(
    _ bytes: UnsafeBufferPointer<UInt8>, emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    try scanner.append(bytes) { () throws(ReactorError) in if batch.count > 0 { try emit(batch) } }
  }

  /// Maps one value that is held.
  func record(of json: JSONValue) throws(RecordError) -> JSONValue {
    var record: JSONValue?
    do throws(ReactorError) {
      try JSONWriter.bytes(json).withUnsafeBufferPointer { (bytes) throws(ReactorError) in
        try append(bytes) { (_) throws(ReactorError) in }
      }
      try finish { (batch) throws(ReactorError) in record = batch.record(0) }
    } catch {
      throw RecordError(error.message, rule: "value")
    }
    if let record { return record }
    throw batch.rejected.first?.error ?? RecordError("the value does not fit", rule: "value")
  }

  /// Reads what is left; the response has ended.
  func finish(emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    try scanner.finish { () throws(ReactorError) in if batch.count > 0 { try emit(batch) } }
  }
}

extension RecordLimits {
  /// Nothing is read before the whole text is there.
  static var rounds: RecordLimits {
    var limits = RecordLimits()
    limits.windowBytes = .max
    return limits
  }
}
