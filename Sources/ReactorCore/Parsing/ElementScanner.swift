package import JSONSyntax

/// Finds the elements of a response that arrives in chunks, for compiled models and for declared records.
///
/// It is a state machine without its own input or output: bytes go in, elements come out. The window is the part of the
/// response that is in memory. The memory is limited by the window and the largest single element, whatever the size of
/// the response. The text around the elements, called the envelope, is also checked against the JSON grammar. Elements
/// that do not match are counted and left out. In a strict scan, the first such element fails the scan. One task owns a
/// scanner at a time.
package final class ElementScanner {
  /// The state: it determines which token is expected next.
  enum State {
    /// A value on the path to the records; `step` is the number of path steps already taken.
    case value(step: Int)
    /// A member name. `}` is also allowed before the first member.
    case member(isFirst: Bool)
    /// An element. `]` is also allowed before the first element.
    case element(isFirst: Bool)
    /// `,` or the end of the innermost container.
    case separator
    /// A record that is an element of the records' array.
    case record(isFirst: Bool)
    /// A record that is a member value of the records' object.
    case recordMember(isFirst: Bool)
    /// A record or the end of the text, in a JSON Lines response.
    case line
    /// Only white space.
    case end
  }

  /// An open container on the path to the records.
  struct Level {
    let isObject: Bool
    /// The path step that is compared with the members or elements; nil when that step has been taken.
    var step: Int?
    /// The index of the next element.
    var index = 0
  }

  let selection: RecordSelection
  let steps: [JSONPath.Step]
  let limits: RecordLimits
  let isStrict: Bool
  let reader: any ElementReader
  let window: ByteBuffer
  /// The envelope: the response without its elements. Values outside the elements are read from it, and messages use
  /// it.
  package let envelope = ByteBuffer(capacity: 256)
  /// Whether values are read from the envelope, so that it must be complete. Otherwise its long values are left out.
  let needsEnvelope: Bool
  /// Whether the envelope is still available. An envelope that nobody needs is dropped when it becomes too large.
  var hasEnvelope = true
  /// Whether the last record and a fingerprint of all records are required.
  let needsTail: Bool
  /// Whether a response without the path of the records counts as a response without records, and not as an error.
  let mayLackRecords: Bool
  var digest = Hasher()
  let lastRecord = ByteBuffer(capacity: 64)
  /// The tokens of the last record so far in this window.
  @exclusivity(unchecked) var lastTokens: Range<Int>?
  /// Whether the unit that was just read is a record, which is not part of the envelope.
  var isRecordUnit = false
  /// The first token of the skipped value at the end of the unit that was just read.
  var skippedValue: Int?
  /// The number of records found so far.
  @exclusivity(unchecked) package private(set) var total = 0
  var rejections = PruneReport()
  @exclusivity(unchecked) var state: State
  var levels: [Level] = []
  /// The error that rejects the response although it is valid JSON.
  var rejection: ReactorError?
  /// Whether the path of the records was found.
  var found = false
  /// The number of bytes of the response before the window.
  var windowStart = 0
  private let indexer = JSONIndexer()
  /// The number of bytes that the window must have before it is parsed.
  private var wanted: Int

  /// The parts of a response that the caller needs besides the elements.
  package struct Demands {
    /// Whether the text around the elements is needed, at most `RecordLimits.heldBytes`.
    package var envelope = false
    /// Whether the bytes of the last element and a fingerprint of all elements are needed.
    package var tail = false
    /// Whether a response without the path of the elements counts as a response without elements, and not as an error.
    package var mayLackRecords = false

    package init(envelope: Bool = false, tail: Bool = false, mayLackRecords: Bool = false) {
      self.envelope = envelope
      self.tail = tail
      self.mayLackRecords = mayLackRecords
    }
  }

  /// Creates a scanner. Other code calls `Parser.elements` instead.
  init(
    _ reader: any ElementReader, at selection: RecordSelection, isStrict: Bool, demands: Demands, limits: RecordLimits
  ) {
    self.reader = reader
    self.selection = selection
    self.isStrict = isStrict
    self.limits = limits
    steps = selection.steps
    window = ByteBuffer(capacity: 8192)
    window.seal()
    needsEnvelope = demands.envelope
    needsTail = demands.tail
    mayLackRecords = demands.mayLackRecords
    wanted = limits.windowBytes
    state = selection == .lines ? .line : .value(step: 0)
  }

  /// Adds bytes to the window. When the window has enough bytes, reads the elements in it and then calls `emit`.
  package func append(
    _ bytes: UnsafeBufferPointer<UInt8>, emit: () throws(ReactorError) -> Void
  ) throws(ReactorError) {
    window.append(bytes)
    if window.count >= wanted { try drain(isFinal: false, emit: emit) }
  }

  /// Adds the bytes of an array, like the other `append`.
  package func append(_ bytes: [UInt8], emit: () throws(ReactorError) -> Void) throws(ReactorError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(ReactorError) in try append(bytes, emit: emit) }
  }

  /// Reads the rest of the text at the end of the response.
  package func finish(emit: () throws(ReactorError) -> Void) throws(ReactorError) {
    try drain(isFinal: true, emit: emit)
    switch state {
    case .end, .line: break
    default: throw syntaxError(JSONError("the text ends too early", at: window.count, endsEarly: true))
    }
    guard found || mayLackRecords || selection == .lines else { throw missingRecords() }
  }

  private func drain(isFinal: Bool, emit: () throws(ReactorError) -> Void) throws(ReactorError) {
    if windowStart == 0, case .value(0) = state { dropByteOrderMark() }
    // An incomplete UTF-8 sequence at the end of the window waits for its remaining bytes.
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
    reader.begin(tokens, firstIndex: total)
    lastTokens = nil
    let consumed = try scan(tokens, isFinal: isFinal)
    if let last = lastTokens {
      lastRecord.removeAll()
      let start = tokens.start(last.lowerBound)
      lastRecord.append(
        tokens.base + start, (last.upperBound < tokens.count ? tokens.start(last.upperBound) : tokens.end) - start)
    }
    try emit()
    window.removeFirst(consumed)
    windowStart += consumed
    window.append(rest)
    guard window.count <= limits.heldBytes else {
      var error = ReactorError(
        .parser, "a single record, or the text around the records, is larger than \(limits.heldBytes) bytes",
        recordIndex: total)
      error.help =
        "check the path in 'records', or request smaller records, or only some of their members, from the server"
      throw error
    }
    wanted = max(limits.windowBytes, window.count * 2)
  }

  /// Reads all complete units in the window and returns the offset of the rest.
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
        if token < next, hasEnvelope, !isRecordUnit { try append(tokens, token..<next) }
        isRecordUnit = false
        skippedValue = nil
        token = next
      } catch {
        // The next window may have the rest of the last token.
        if !isFinal, error.offset >= (tokens.count > 0 ? tokens.start(tokens.count - 1) : 0) { break }
        throw syntaxError(error)
      }
      if mustStop, let rejection = strictRejection { throw rejection }
    }
    return token < tokens.count ? tokens.start(token) : tokens.end
  }

  /// Whether a rejected record ends the scan. It is a separate flag because it is checked for each record.
  @exclusivity(unchecked) private var mustStop = false
  /// The error of the record that ends the scan.
  @exclusivity(unchecked) private var strictRejection: ReactorError?

  /// Maps consecutive elements.
  ///
  /// Returns the token after the end of the array, or nil when the window has no further complete element.
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
      let next = try reader.read(token)
      guard next < tokens.count || isFinal else { return nil }
      let separator = tokens.first(next)
      guard separator == UInt8(ascii: ",") || separator == UInt8(ascii: "]") else {
        throw tokens.unexpected(next, "',' or ']'")
      }
      judge(token..<next)
      if needsTail { lastTokens = token..<next }
      token = next + 1
      if separator == UInt8(ascii: "]") { return closeRecords(token) }
      if mustStop { return token }
    }
    return nil
  }

  /// Adds the bytes of records to the fingerprint of all records.
  private func hash(_ tokens: JSONTokens, _ range: Range<Int>) {
    let start = tokens.start(range.lowerBound)
    let end = range.upperBound < tokens.count ? tokens.start(range.upperBound) : tokens.end
    digest.combine(bytes: UnsafeRawBufferPointer(start: tokens.base + start, count: end - start))
  }

  private func closeRecords(_ next: Int) -> Int {
    envelope.append(UInt8(ascii: "]"))
    state = levels.isEmpty ? .end : .separator
    return next
  }

  private func lines(_ tokens: JSONTokens, from token: inout Int, isFinal: Bool) throws(JSONError) -> Int? {
    while token < tokens.count {
      let next = try reader.read(token)
      guard next < tokens.count || isFinal else { return nil }
      judge(token..<next)
      if needsTail { lastTokens = token..<next }
      token = next
      if mustStop { return token }
    }
    return nil
  }

  /// Maps the single record that starts at a token.
  func single(_ tokens: JSONTokens, _ token: Int) throws(JSONError) -> Int {
    let next = try reader.read(token)
    judge(token..<next)
    if needsTail {
      lastTokens = token..<next
      hash(tokens, token..<next)
    }
    return next
  }

  /// Counts an element, and rejects it when it does not match.
  private func judge(_ tokens: Range<Int>) {
    let index = total
    total &+= 1
    guard let error = reader.judge(tokens, index: index, rejected: rejections.rejected) else { return }
    rejections.reject(at: index, because: error)
    guard isStrict, strictRejection == nil else { return }
    mustStop = true
    strictRejection = reader.failure(error, at: index)
  }

  /// The error of a response without the path of the records; nil when the response has that path.
  package var missing: ReactorError? { found || selection == .lines ? nil : missingRecords() }

  /// The bytes of the last element, with a fingerprint of all elements.
  ///
  /// It is nil when the tail is not needed or there are no elements.
  package var tail: (last: [UInt8], fingerprint: Int)? {
    needsTail && total > 0 ? (lastRecord.copy(), digest.finalize()) : nil
  }

  /// The kept and rejected records so far.
  package var report: PruneReport {
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
