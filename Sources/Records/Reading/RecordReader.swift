public import JSONSyntax
public import ReactorCore

/// Reads the records of a response while it arrives; memory use does not grow with the size of the response.
public struct RecordReader: Sendable {
  /// The result of a reading, besides the records.
  public struct Outcome: Sendable {
    /// The counts and rejections.
    public var report: PruneReport
    /// The response without its records, as JSON text, if requested.
    public var envelope: [UInt8]?
    /// The content of the response around its records, if requested.
    ///
    /// It is an object whose long members may be empty, or null for any other value. If the response was held in
    /// memory, all members are complete.
    public var outline: JSONValue?
    /// The number of bytes read.
    public var bytes: Int
    /// The last record and the fingerprint of all records as the response has them; nil if not requested or without
    /// records.
    public var tail: Tail?
    /// The error of a response in which the location of the records is missing.
    ///
    /// It is set only where such a response is accepted.
    public var missing: ReactorError?
    /// The fields that no record has and that are probably misspelt.
    public var missingFields: [MissingField] = []
    /// The members of records that no field reads, if the schema was inferred.
    public var newMembers: Set<String> = []

    /// Builds an outcome.
    public init(report: PruneReport, envelope: [UInt8]?, bytes: Int, tail: Tail? = nil) {
      self.report = report
      self.envelope = envelope
      self.bytes = bytes
      self.tail = tail
    }
  }

  /// The last record and the fingerprint of the records, as the response has them.
  public struct Tail: Sendable {
    /// The last record as JSON text.
    public var lastRecord: [UInt8]
    /// A hash of all records; it changes when a record changes. It is comparable only within one process.
    public var fingerprint: Int
  }

  var plan: MappingPlan
  let selection: RecordSelection
  let isStrict: Bool
  let limits: RecordLimits
  let onRejected: RejectedRecord.Taker?
  var transform: RecordTransform?
  /// Whether to return the response without its records, at most `limits.heldBytes`.
  public var needsEnvelope = false
  /// Whether to return the outline: the content around the records, without its long parts.
  public var wantsOutline = false
  /// Whether to return the last record and a fingerprint of all records.
  public var needsTail = false
  /// Whether to search for fields that no record has and that are probably misspelt.
  public var seeksFields = true
  /// Whether a response in which the location of the records is missing counts as empty.
  ///
  /// Otherwise such a response is an error.
  public var mayLackRecords = false
  /// The records that a decoder could not read; nil for a response that is JSON itself.
  public var flaws: RecordFlaws?
  /// Whether batches list the rejected records.
  var listsRejected = false

  /// Creates a reader of the records at a location in a response.
  ///
  /// - Parameters:
  ///   - plan: the compiled schema
  ///   - selection: the location of the records
  ///   - isStrict: whether the first record that does not match ends the reading with an error; otherwise the record is
  ///     left out
  ///   - limits: bounds on memory
  ///   - onRejected: receives every rejected record, in the response's order, before the next call of `pause`; costs
  ///     nothing when it is nil
  ///   - transform: the steps besides mapping; required for schemas with computed fields
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

  /// A reader of the same records without mapping, for a transform that maps them later.
  var asTheyCome: RecordReader {
    var reader = self
    reader.plan = MappingPlan(.wholeRecords)
    reader.transform = nil
    reader.listsRejected = true
    return reader
  }

  /// Reads to the end; passes batches to `emit` in the response's order, each valid only during the call.
  ///
  /// - Parameters:
  ///   - body: the response
  ///   - emit: receives a batch
  ///   - pause: called between batches, at least once per 256 KiB of the response; it may wait for a disk
  /// - Throws: the errors of the body and of `emit`; a parser error for broken JSON, for a response without the
  ///   location of the records, for an invalid record in strict mode, or for a record over the limit. An error cancels
  ///   the body.
  public func read(
    _ body: ResponseBody, emit: (RecordBatch) throws(ReactorError) -> Void,
    pause: () async throws(ReactorError) -> Void = {}
  ) async throws(ReactorError) -> Outcome {
    if let transform, transform.makesOtherRecords {
      return try await readTransformed(body, by: transform, emit: emit, pause: pause)
    }
    if case .query(let path) = selection { return try await readHeld(body, at: path, emit: emit) }
    let scanner = scanner(at: selection, needsEnvelope: needsEnvelope, mayLackRecords: mayLackRecords)
    let bytes = try await Parser<[Record]>.feed(body) { (chunk) throws(ReactorError) in
      try scanner.append(chunk, emit: emit)
    } pause: { () async throws(ReactorError) in
      try await pause()
    }
    try scanner.finish(emit: emit)
    return outcome(of: scanner, bytes: bytes)
  }

  private func scanner(at selection: RecordSelection, needsEnvelope: Bool, mayLackRecords: Bool) -> RecordScanner {
    RecordScanner(
      plan: plan, selection: selection, isStrict: isStrict,
      demands: ElementScanner.Demands(envelope: needsEnvelope, tail: needsTail, mayLackRecords: mayLackRecords),
      seeksFields: seeksFields, limits: limits,
      rejections: RecordScanner.Rejections(taker: onRejected, areListed: listsRejected, flaws: flaws),
      stage: RecordStage(transform ?? RecordTransform(), plan))
  }

  private func outcome(of scanner: RecordScanner, bytes: Int) -> Outcome {
    var outcome = Outcome(
      report: scanner.report, envelope: needsEnvelope ? scanner.envelope : nil, bytes: bytes,
      tail: scanner.tail)
    if wantsOutline { outcome.outline = scanner.outline }
    if mayLackRecords { outcome.missing = scanner.missing }
    outcome.missingFields = scanner.misspeltFields
    outcome.newMembers = scanner.newMembers
    return outcome
  }

  /// Reads records at a path that a stream cannot follow.
  ///
  /// The response is held in memory, and the path is evaluated on it.
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
    let values = try path.found(in: root)
    // An empty list has no records. If all elements lack the member that the path names, the path is wrong.
    var missing: ReactorError?
    if values.isEmpty {
      let isEmptyList = try path.findsEmptyList(in: root)
      if !isEmptyList { missing = .noRecords(at: path.text) }
    }
    if let missing, !mayLackRecords { throw missing }
    let scanner = scanner(at: .at([]), needsEnvelope: false, mayLackRecords: false)
    let json = ByteBuffer(capacity: text.count)
    json.append(json: .array(values))
    try json.withBytes { (bytes) throws(ReactorError) in try scanner.append(bytes, emit: emit) }
    try scanner.finish(emit: emit)
    var outcome = Outcome(
      report: scanner.report, envelope: needsEnvelope ? text : nil, bytes: text.count, tail: scanner.tail)
    if wantsOutline { outcome.outline = root }
    outcome.missing = missing
    outcome.missingFields = scanner.misspeltFields
    outcome.newMembers = scanner.newMembers
    return outcome
  }
}
