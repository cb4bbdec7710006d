public import JSONSyntax
public import ReactorCore

/// Reads records out of a response as it arrives, in memory that does not grow with it.
public struct RecordReader: Sendable {
  /// What a reading gave besides the records themselves.
  public struct Outcome: Sendable {
    /// Counts and rejections.
    public var report: PruneReport
    /// The response without its records, as JSON text, when it was asked for.
    public var envelope: [UInt8]?
    /// What the response says around its records, when it was asked for: an object whose long members may be empty, or
    /// null for anything else. Of a response that was held all is there.
    public var outline: JSONValue?
    /// Bytes read.
    public var bytes: Int
    /// What the records were like as they came, when it was asked for and there are any.
    public var tail: Tail?
    /// What would be thrown for a response without the records' location, where that is accepted.
    public var missing: ReactorError?
    /// The fields that no record has and that look misspelt.
    public var missingFields: [MissingField] = []

    /// Builds an outcome.
    public init(report: PruneReport, envelope: [UInt8]?, bytes: Int, tail: Tail? = nil) {
      self.report = report
      self.envelope = envelope
      self.bytes = bytes
      self.tail = tail
    }
  }

  /// What the records of a response were like as they came.
  public struct Tail: Sendable {
    /// The last record as JSON text.
    public var lastRecord: [UInt8]
    /// Differs for other records; comparable within one process only.
    public var fingerprint: Int
  }

  var plan: MappingPlan
  let selection: RecordSelection
  let isStrict: Bool
  let limits: RecordLimits
  let onRejected: RejectedRecord.Taker?
  var transform: RecordTransform?
  /// Whether the rest of the response is wanted, at most `limits.heldBytes`.
  public var needsEnvelope = false
  /// Whether the outline is wanted: what is around the records, without its long parts.
  public var wantsOutline = false
  /// Whether the last record and a fingerprint of all are wanted.
  public var needsTail = false
  /// Whether fields that no record has and that look misspelt are looked for.
  public var seeksFields = true
  /// Whether a response without the records' location has no records, instead of being an error.
  public var mayLackRecords = false
  /// Whether batches list the records that did not fit.
  var listsRejected = false

  /// A reader of records at a location in a response.
  ///
  /// - Parameters:
  ///   - plan: the compiled schema
  ///   - selection: where the records are
  ///   - isStrict: whether the first record that does not fit ends the reading with an error (else it is left out)
  ///   - limits: bounds on memory
  ///   - onRejected: is given every record that does not fit, in the response's order, before `pause` is called the
  ///     next time; costs nothing when it is nil
  ///   - transform: what is done with the records besides mapping them; needed for schemas with computed fields
  public init(
    plan: MappingPlan, selection: RecordSelection, isStrict: Bool, limits: RecordLimits = RecordLimits(),
    onRejected: RejectedRecord.Taker? = nil, transform: RecordTransform? = nil
  ) {
    self.plan = plan
    self.selection = selection
    self.isStrict = isStrict
    self.limits = limits
    self.transform = transform
    self.onRejected = onRejected
  }

  /// A reader of the same records as they come, for a transform that does the rest.
  var asTheyCome: RecordReader {
    var reader = self
    reader.plan = MappingPlan(.wholeRecords)
    reader.transform = nil
    reader.listsRejected = true
    return reader
  }

  /// Reads to the end; batches are given to `emit` in the response's order and are only valid during the call.
  ///
  /// - Parameters:
  ///   - body: the response
  ///   - emit: takes a batch
  ///   - pause: called between batches, at least once per 256 KiB of the response: the place to wait for a disk
  /// - Throws: what the body throws; a parser error for broken JSON, a location of records that is not there, a bad record in
  ///   strict mode, or a record over the limit; what `emit` throws. The body is cancelled then.
  public func read(
    _ body: ResponseBody, emit: (RecordBatch) throws(ReactorError) -> Void,
    pause: () async throws(ReactorError) -> Void = {}
  ) async throws(ReactorError) -> Outcome {
    if let transform, transform.makesOtherRecords {
      return try await readTransformed(body, by: transform, emit: emit, pause: pause)
    }
    do throws(ReactorError) {
      if case .query(let path) = selection { return try await readHeld(body, at: path, emit: emit) }
      let scanner = scanner(at: selection, needsEnvelope: needsEnvelope, mayLackRecords: mayLackRecords)
      var bytes = 0
      while let chunk = try await body.next() {
        bytes += chunk.count
        try chunk.withUnsafeBufferPointer { (pointer) throws(ReactorError) in
          try scanner.append(pointer, emit: emit)
        }
        try await pause()
      }
      try scanner.finish(emit: emit)
      return outcome(of: scanner, bytes: bytes)
    } catch {
      body.cancel()
      throw error
    }
  }

  private func scanner(at selection: RecordSelection, needsEnvelope: Bool, mayLackRecords: Bool) -> RecordScanner {
    RecordScanner(
      plan: plan, selection: selection, isStrict: isStrict,
      demands: ElementScanner.Demands(envelope: needsEnvelope, tail: needsTail, mayLackRecords: mayLackRecords),
      seeksFields: seeksFields, limits: limits,
      rejections: RecordScanner.Rejections(taker: onRejected, areListed: listsRejected),
      stage: RecordStage(transform ?? RecordTransform(), plan))
  }

  private func outcome(of scanner: RecordScanner, bytes: Int) -> Outcome {
    var outcome = Outcome(
      report: scanner.report, envelope: needsEnvelope ? scanner.envelope : nil, bytes: bytes,
      tail: scanner.tail)
    if wantsOutline { outcome.outline = scanner.outline }
    if mayLackRecords { outcome.missing = scanner.missing }
    outcome.missingFields = scanner.misspeltFields
    return outcome
  }

  /// Reads records at a path that a stream cannot follow: holds the response and evaluates the path.
  private func readHeld(
    _ body: ResponseBody, at path: JSONPath, emit: (RecordBatch) throws(ReactorError) -> Void
  ) async throws(ReactorError) -> Outcome {
    let text = try await body.collect(upTo: limits.heldBytes)
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(parsing: text)
    } catch {
      throw ReactorError.notJSON(error, text)
    }
    let values = path.values(in: root)
    let missing = ReactorError.noRecords(at: path.text)
    guard !values.isEmpty || mayLackRecords else { throw missing }
    let scanner = scanner(at: .at([]), needsEnvelope: false, mayLackRecords: false)
    let json = ByteBuffer(capacity: text.count)
    json.append(json: .array(values))
    try json.withBytes { (bytes) throws(ReactorError) in try scanner.append(bytes, emit: emit) }
    try scanner.finish(emit: emit)
    var outcome = Outcome(
      report: scanner.report, envelope: needsEnvelope ? text : nil, bytes: text.count, tail: scanner.tail)
    if wantsOutline { outcome.outline = root }
    if values.isEmpty { outcome.missing = missing }
    outcome.missingFields = scanner.misspeltFields
    return outcome
  }
}
