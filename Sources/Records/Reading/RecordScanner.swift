internal import JSONSyntax
internal import ReactorCore

/// Finds the records in an answer that arrives in pieces, and maps them.
///
/// A state machine without input or output of its own: bytes go in, batches come out. Memory is bounded by the window and
/// the largest single record, whatever the answer's size. All that is not a record is checked against the grammar too.
/// One task owns a scanner at a time.
final class RecordScanner {
  /// What the next token must be.
  enum State {
    /// The value that the path leads to at this point; `step` steps have been taken.
    case value(step: Int)
    /// A member name, or `}` when none came yet.
    case member(isFirst: Bool)
    /// An element, or `]` when none came yet.
    case element(isFirst: Bool)
    /// `,` or the end of the innermost container.
    case separator
    /// A record: an element of the records' array.
    case record(isFirst: Bool)
    /// A record: a member of the records' object.
    case recordMember(isFirst: Bool)
    /// A record or the end of the text, in JSON Lines.
    case line
    /// Nothing but white space.
    case end
  }

  /// A container on the way to the records that is still open.
  struct Level {
    let isObject: Bool
    /// The step that its members or elements are compared with; nil once it has been taken.
    var step: Int?
    /// Index of the next element.
    var index = 0
  }

  let selection: RecordSelection
  let steps: [JSONPath.Step]
  let limits: RecordLimits
  let isStrict: Bool
  let plan: MappingPlan
  let batch: RecordBatch
  let window: ByteBuffer
  /// The answer without its records, for what else is read from it and for messages.
  let envelope = ByteBuffer(capacity: 256)
  /// Whether something is read from the envelope, so that it must be whole; else its long values are left out.
  let needsEnvelope: Bool
  /// Whether the envelope was given up because nobody needs it and it grew.
  var hasEnvelope = true
  /// Whether the last record is wanted as it came, with a fingerprint of all records; and what they are.
  let needsTail: Bool
  /// Whether an answer without the records' place has none.
  let mayLackRecords: Bool
  var digest = RecordsDigest()
  let lastRecord = ByteBuffer(capacity: 64)
  /// The tokens of the window's last record so far.
  @exclusivity(unchecked) var lastTokens: Range<Int>?
  /// Whether the unit just read is a record, which the envelope leaves out.
  var isRecordUnit = false
  /// The first token of the value that the unit just read ends with, where nothing is looked for in it.
  var skippedValue: Int?
  /// Records found so far, and the report of those that were rejected.
  @exclusivity(unchecked) var total = 0
  var rejections = PruneReport()
  @exclusivity(unchecked) var state: State
  var levels: [Level] = []
  /// Whether the records' place was met.
  var found = false
  /// Bytes of the answer before the window.
  var windowStart = 0
  /// Takes the records that do not fit, whole; nil when nobody wants them.
  private let onRejected: RejectedRecord.Taker?
  private let decoder: RecordDecoder
  private let indexer = JSONIndexer()
  /// The window is only read when it holds this much.
  private var wanted: Int

  init(
    plan: MappingPlan, selection: RecordSelection, isStrict: Bool, needsEnvelope: Bool, needsTail: Bool = false,
    seeksFields: Bool = true, mayLackRecords: Bool = false, limits: RecordLimits,
    onRejected: RejectedRecord.Taker? = nil
  ) {
    self.onRejected = onRejected
    self.plan = plan
    self.selection = selection
    self.isStrict = isStrict
    self.limits = limits
    steps = selection.steps
    window = ByteBuffer(capacity: 8192)
    window.seal()
    batch = RecordBatch(plan: plan, window: UnsafePointer(window.base))
    decoder = RecordDecoder(plan: plan, batch: batch, tokens: .none)
    self.needsEnvelope = needsEnvelope
    self.needsTail = needsTail
    self.seeksFields = seeksFields
    self.mayLackRecords = mayLackRecords
    wanted = limits.windowBytes
    state = selection == .lines ? .line : .value(step: 0)
  }

  /// Takes bytes; when enough are there, maps the records among them and gives the batch to `emit`.
  func append(
    _ bytes: UnsafeBufferPointer<UInt8>, emit: (RecordBatch) throws(ReactorError) -> Void
  ) throws(ReactorError) {
    window.append(bytes)
    if window.count >= wanted { try drain(isFinal: false, emit: emit) }
  }

  /// Reads what is left; the answer has ended.
  func finish(emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    try drain(isFinal: true, emit: emit)
    switch state {
    case .end, .line: break
    default: throw syntaxError(JSONError("the text ends too early", at: window.count))
    }
    guard found || mayLackRecords || selection == .lines else { throw missingRecords() }
  }

  private func drain(isFinal: Bool, emit: (RecordBatch) throws(ReactorError) -> Void) throws(ReactorError) {
    if windowStart == 0, case .value(0) = state { dropByteOrderMark() }
    // A sequence of UTF-8 that is cut by the window's end waits for its rest.
    let cut = isFinal ? 0 : UTF8Text.incompleteSuffix(of: window.bytes)
    var rest: [UInt8] = []
    if cut > 0 {
      rest = Array(window.bytes.suffix(cut))
      window.truncate(to: window.count - cut)
    }
    let tokens: JSONTokens
    do throws(JSONError) {
      tokens = try indexer.index(window, isFinal: isFinal)
    } catch {
      throw syntaxError(error)
    }
    batch.removeAll()
    batch.firstIndex = total
    batch.window = tokens.base
    decoder.tokens = tokens
    lastTokens = nil
    let consumed = try scan(tokens, isFinal: isFinal)
    if let last = lastTokens {
      lastRecord.removeAll()
      let start = tokens.start(last.lowerBound)
      lastRecord.append(
        tokens.base + start, (last.upperBound < tokens.count ? tokens.start(last.upperBound) : tokens.end) - start)
    }
    if batch.count > 0 { try emit(batch) }
    window.removeFirst(consumed)
    windowStart += consumed
    window.append(rest)
    guard window.count <= limits.heldBytes else {
      throw ReactorError(
        .parser, "a single record, or the text around the records, is larger than \(limits.heldBytes) bytes",
        recordIndex: total)
    }
    wanted = max(limits.windowBytes, window.count * 2)
  }

  /// Walks as far as whole units reach; gives the offset up to which the window is done with.
  private func scan(_ tokens: JSONTokens, isFinal: Bool) throws(ReactorError) -> Int {
    var token = 0
    while true {
      do throws(JSONError) {
        let first = token
        let next: Int?
        switch state {
        case .record(let isFirst): next = try records(tokens, from: &token, isFirst: isFirst, isFinal: isFinal)
        case .line: next = try lines(tokens, from: &token, isFinal: isFinal)
        default: next = try unit(tokens, token, isFinal: isFinal)
        }
        if needsTail, token > first { hash(tokens, first..<token) }
        guard let next else { break }
        if token < next, hasEnvelope, !isRecordUnit { try keep(tokens, token..<next) }
        isRecordUnit = false
        skippedValue = nil
        token = next
      } catch {
        // At the last token of a window that is not the last, anything may still come right.
        if !isFinal, error.offset >= (tokens.count > 0 ? tokens.start(tokens.count - 1) : 0) { break }
        throw syntaxError(error)
      }
      if mustStop, let rejection = strictRejection { throw rejection }
    }
    return token < tokens.count ? tokens.start(token) : tokens.end
  }

  /// Whether a bad record was found and one is enough; a flag of its own, because it is asked for each record.
  @exclusivity(unchecked) private var mustStop = false
  /// That record's error.
  @exclusivity(unchecked) private var strictRejection: ReactorError?

  /// Maps elements in a row; gives the token after the array's end, or nil when the window is used up.
  private func records(
    _ tokens: JSONTokens, from token: inout Int, isFirst: Bool, isFinal: Bool
  ) throws(JSONError) -> Int? {
    if isFirst {
      guard token < tokens.count || isFinal else { return nil }
      if tokens.first(token) == UInt8(ascii: "]") {
        token += 1
        return closeRecords(token)
      }
      state = .record(isFirst: false)
    }
    while token < tokens.count || isFinal {
      let row = batch.nextRow()
      let next = try decoder.record(token, into: row)
      guard next < tokens.count || isFinal else { return nil }
      let separator = tokens.first(next)
      guard separator == UInt8(ascii: ",") || separator == UInt8(ascii: "]") else {
        throw tokens.unexpected(next, "',' or ']'")
      }
      judge(row, at: token, until: next)
      if needsTail { lastTokens = token..<next }
      token = next + 1
      if separator == UInt8(ascii: "]") { return closeRecords(token) }
      if mustStop { return token }
    }
    return nil
  }

  /// Adds records, as they came, to what their fingerprint is made of.
  private func hash(_ tokens: JSONTokens, _ range: Range<Int>) {
    let start = tokens.start(range.lowerBound)
    let end = range.upperBound < tokens.count ? tokens.start(range.upperBound) : tokens.end
    digest.combine(UnsafeRawBufferPointer(start: tokens.base + start, count: end - start))
  }

  private func closeRecords(_ next: Int) -> Int {
    envelope.append(UInt8(ascii: "]"))
    state = levels.isEmpty ? .end : .separator
    return next
  }

  /// Bytes from which on a value is left out of an envelope that need not be whole.
  private static let longValue = 4 << 10
  /// The largest envelope that need not be whole.
  private static let outlineBytes = 64 << 10

  /// Adds tokens to the envelope; white space between them goes along.
  private func keep(_ tokens: JSONTokens, _ range: Range<Int>) throws(JSONError) {
    let start = tokens.start(range.lowerBound)
    let length = (range.upperBound < tokens.count ? tokens.start(range.upperBound) : tokens.end) - start
    if let value = skippedValue, length > Self.longValue, !needsEnvelope {
      return keep(tokens, range.lowerBound..<value, withoutLongValue: tokens.first(value))
    }
    guard envelope.count + length > (needsEnvelope ? limits.heldBytes : Self.outlineBytes) else {
      return envelope.append(tokens.base + start, length)
    }
    guard !needsEnvelope else {
      throw JSONError("the answer around its records is larger than \(limits.heldBytes) bytes", at: start)
    }
    giveEnvelopeUp()
  }

  /// Adds what stands before a long value, and something empty of its kind.
  private func keep(_ tokens: JSONTokens, _ range: Range<Int>, withoutLongValue first: UInt8) {
    let start = tokens.start(range.lowerBound)
    let length = tokens.start(range.upperBound) - start
    guard envelope.count + length <= Self.outlineBytes else { return giveEnvelopeUp() }
    envelope.append(tokens.base + start, length)
    switch first {
    case UInt8(ascii: "["): envelope.append("[]")
    case UInt8(ascii: "{"): envelope.append("{}")
    case UInt8(ascii: "\""): envelope.append("\"\"")
    default: envelope.append("null")
    }
  }

  private func giveEnvelopeUp() {
    hasEnvelope = false
    envelope.removeAll()
  }

  /// What the answer says around its records, without its long values; nil when that alone is long, or is no object.
  var outline: JSONValue? {
    guard hasEnvelope, envelope.withBytes({ $0.first == UInt8(ascii: "{") }) else { return nil }
    return try? JSONValue(parsing: envelope.copy())
  }

  private func lines(_ tokens: JSONTokens, from token: inout Int, isFinal: Bool) throws(JSONError) -> Int? {
    while token < tokens.count {
      let row = batch.nextRow()
      let next = try decoder.record(token, into: row)
      guard next < tokens.count || isFinal else { return nil }
      judge(row, at: token, until: next)
      if needsTail { lastTokens = token..<next }
      token = next
      if mustStop { return token }
    }
    return nil
  }

  /// Maps the only record that starts at a token.
  func single(_ tokens: JSONTokens, _ token: Int) throws(JSONError) -> Int {
    let row = batch.nextRow()
    let next = try decoder.record(token, into: row)
    judge(row, at: token, until: next)
    if needsTail {
      lastTokens = token..<next
      hash(tokens, token..<next)
    }
    return next
  }

  /// Counts a record, and keeps its row if it fits.
  @inline(__always)
  private func judge(_ row: UnsafeMutablePointer<Cell>, at token: Int, until next: Int) {
    let index = total
    total &+= 1
    if seeksFields { seekFields(row, token..<next) }
    guard let field = decoder.firstMismatch(firstField: 0, count: batch.width, row: row) else {
      batch.commitRow()
      return
    }
    reject(row, field, index: index, token..<next)
  }

  /// Whether records are looked at for fields that none of them has; a flag of its own, because it is asked for each.
  @exclusivity(unchecked) private var seeksFields: Bool
  /// Those fields, from the first record on.
  private var missingFields: MissingFields?

  private func seekFields(_ row: UnsafeMutablePointer<Cell>, _ range: Range<Int>) {
    if missingFields == nil {
      missingFields = MissingFields(row, of: plan) { decoder.shortRecord(range) }
    } else {
      missingFields?.take(row)
    }
    seeksFields = missingFields?.isEmpty == false
  }

  private func reject(_ row: UnsafeMutablePointer<Cell>, _ field: Int, index: Int, _ range: Range<Int>) {
    let isReported =
      onRejected != nil || batch.keepsReasons || rejections.rejected < PruneReport.listLimit
      || (isStrict && strictRejection == nil)
    let error =
      isReported
      ? RejectionText.describe(
        row[field], field: field, decoder: decoder, record: rejections.rejected == 0 ? range : nil)
      : MappedError("", pointer: "")
    rejections.reject(at: index, because: error)
    let refusal = Refusal(error, rule: RejectionText.rule(row[field]))
    if batch.keepsRefusals { batch.refused.append((index, refusal)) }
    onRejected?(
      RejectedRecord(
        index: index, pointer: error.pointer, rule: refusal.rule, reason: error.message, decoder.tokens, range))
    if isStrict, strictRejection == nil {
      mustStop = true
      strictRejection = refusal.failure(at: index)
    }
  }

  /// What is to be said of an answer without the records' place; nil when it has it.
  var missing: ReactorError? { found || selection == .lines ? nil : missingRecords() }

  /// What was wanted of the records as they came, if there are any.
  var tail: RecordReader.Tail? {
    needsTail && total > 0 ? RecordReader.Tail(lastRecord: lastRecord.copy(), fingerprint: digest.value) : nil
  }

  /// The fields that no record has had and that look misspelt.
  var misspeltFields: [MissingField] { missingFields?.fields ?? [] }

  /// What was found so far.
  var report: PruneReport {
    var report = rejections
    report.keep(total - rejections.rejected)
    return report
  }

  private func dropByteOrderMark() {
    if window.count >= 3, window.bytes[0] == 0xEF, window.bytes[1] == 0xBB, window.bytes[2] == 0xBF {
      window.removeFirst(3)
      windowStart += 3
    }
  }
}
