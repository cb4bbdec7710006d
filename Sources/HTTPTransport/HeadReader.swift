internal import ReactorCore

/// Reads the header lines of one response as libcurl hands them over, and refuses what RFC 9112 calls an error but
/// libcurl takes: differing lengths, lengths beside a transfer coding, folded lines, control bytes, unasked parts.
///
/// Not a parser of the wire: lines are cut by libcurl. Informational heads come first and are dropped; lines after the
/// final head are trailers, counted and dropped.
struct HeadReader {
  /// What a line brought.
  enum Event {
    /// The head goes on, or the line was of no consequence.
    case more
    /// The final head is there.
    case complete(ResponseHead)
  }

  private enum Phase { case start, fields, body }

  let maxBytes: Int
  let maxFields: Int
  let isHead: Bool
  let asksForRange: Bool

  private var phase = Phase.start
  private var byteCount = 0
  private var fieldCount = 0
  private var informationalCount = 0
  private var status = 0
  private var minorVersion: Int?
  private var headers: [Headers.Field] = []
  private var lengths: [String] = []
  private var transferCodings: [String] = []
  private var contentCodings: [String] = []

  init(maxBytes: Int, maxFields: Int, isHead: Bool, asksForRange: Bool) {
    self.maxBytes = maxBytes
    self.maxFields = maxFields
    self.isHead = isHead
    self.asksForRange = asksForRange
    headers.reserveCapacity(12)
  }

  /// Takes one line with its end.
  mutating func read(_ line: UnsafeRawBufferPointer) throws(ResponseHeadError) -> Event {
    byteCount += line.count
    guard byteCount <= maxBytes else { throw ResponseHeadError("has more than \(maxBytes) bytes of header fields") }
    var end = line.count
    if end > 0, line[end - 1] == 0x0a { end -= 1 }
    if end > 0, line[end - 1] == 0x0d { end -= 1 }
    let text = UnsafeRawBufferPointer(rebasing: line[..<end])
    guard !HeaderSyntax.hasControlByte(text) else { throw ResponseHeadError("has a control byte in its header") }
    switch phase {
    case .start:
      try readStatus(text)
      phase = .fields
    case .fields where text.isEmpty:
      return try endOfHead()
    case .fields:
      let field = try readField(text)
      headers.append(field)
      noteFraming(field)
    case .body:
      if !text.isEmpty { _ = try readField(text) }
    }
    return .more
  }

  // MARK: - Lines

  private mutating func readStatus(_ text: UnsafeRawBufferPointer) throws(ResponseHeadError) {
    // HTTP/1.1 200 OK; libcurl writes HTTP/2 without a minor version.
    let prefix: StaticString = "HTTP/"
    guard text.count > prefix.utf8CodeUnitCount, (0..<5).allSatisfy({ text[$0] == prefix.utf8Start[$0] }),
      let space = text.firstIndex(of: 0x20)
    else { throw ResponseHeadError("does not begin with a status line") }
    let version = text[5..<space]
    minorVersion = version.count == 3 && version[5] == 0x31 && version[6] == 0x2e ? Self.digit(version[7]) : nil
    guard minorVersion == 0 || minorVersion == 1 || version.elementsEqual([0x32]) || version.elementsEqual([0x33])
    else { throw ResponseHeadError("has an HTTP version that is not known") }
    let code = text[(space + 1)...].prefix { $0 != 0x20 }
    guard code.count == 3, let hundreds = Self.digit(code[code.startIndex]), hundreds > 0,
      let tens = Self.digit(code[code.startIndex + 1]), let ones = Self.digit(code[code.startIndex + 2])
    else { throw ResponseHeadError("has a status that is not a number from 100 to 999") }
    status = hundreds * 100 + tens * 10 + ones
  }

  private mutating func readField(_ text: UnsafeRawBufferPointer) throws(ResponseHeadError) -> Headers.Field {
    fieldCount += 1
    guard fieldCount <= maxFields else { throw ResponseHeadError("has more than \(maxFields) header fields") }
    guard let first = text.first, first != 0x20, first != 0x09 else {
      throw ResponseHeadError("has a folded header field")
    }
    var colon = 0
    while colon < text.count, HeaderSyntax.isToken(text[colon]) { colon += 1 }
    guard colon < text.count, text[colon] == 0x3a else {
      guard text.contains(0x3a) else { throw ResponseHeadError("has a header line without a name") }
      throw ResponseHeadError("has a header name with a character that is not allowed")
    }
    guard colon > 0 else { throw ResponseHeadError("has a header line without a name") }
    var start = colon + 1
    var end = text.count
    while start < end, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
    while end > start, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
    return Headers.Field(Self.string(text, 0..<colon), Self.string(text, start..<end))
  }

  private static func string(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: text[range]), as: UTF8.self)
  }

  /// Sorts out the three fields that matter to the body, by length first: nearly all fields end there.
  private mutating func noteFraming(_ field: Headers.Field) {
    switch field.name.utf8.count {
    case 14 where Headers.matches(field.name, "content-length"): lengths.append(field.value)
    case 16 where Headers.matches(field.name, "content-encoding"): contentCodings.append(field.value)
    case 17 where Headers.matches(field.name, "transfer-encoding"): transferCodings.append(field.value)
    default: break
    }
  }

  private mutating func endOfHead() throws(ResponseHeadError) -> Event {
    if status < 200 {
      guard status != 101 else { throw ResponseHeadError("switches protocols without being asked") }
      informationalCount += 1
      guard informationalCount <= 32 else { throw ResponseHeadError("is preceded by more than 32 informational ones") }
      phase = .start
      headers.removeAll(keepingCapacity: true)
      lengths = []
      transferCodings = []
      contentCodings = []
      return .more
    }
    phase = .body
    let head = try checkedHead()
    headers = []
    return .complete(head)
  }

  // MARK: - Framing

  private func checkedHead() throws(ResponseHeadError) -> ResponseHead {
    guard status != 206 || asksForRange else {
      throw ResponseHeadError("is a part (206) although the whole was asked for")
    }
    let length = try declaredLength()
    let isChunked = try isChunked()
    guard length == nil || !isChunked else {
      throw ResponseHeadError("has both a content-length and a transfer-encoding field")
    }
    let hasNoBody = isHead || status == 204 || status == 304
    if status == 204, isChunked || (length ?? 0) > 0 {
      throw ResponseHeadError("has a body, which status 204 excludes")
    }
    if status == 304, isChunked { throw ResponseHeadError("has a body, which status 304 excludes") }
    return ResponseHead(
      status: status, isHTTP1: minorVersion != nil, headers: Headers(headers),
      coding: hasNoBody ? .identity : try coding(), length: hasNoBody ? 0 : length,
      endsWithConnection: !hasNoBody && length == nil && !isChunked && minorVersion != nil)
  }

  private func declaredLength() throws(ResponseHeadError) -> Int64? {
    var declared: Int64?
    for value in lengths {
      if lengths.count == 1, let length = Self.number(value) { return length }
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        let digits = part.utf8.filter { $0 != 0x20 && $0 != 0x09 }
        guard let length = Self.number(String(decoding: digits, as: UTF8.self)) else {
          throw ResponseHeadError("has a content-length that is not a number")
        }
        guard declared == nil || declared == length else {
          throw ResponseHeadError("has two different content-length fields")
        }
        declared = length
      }
    }
    return declared
  }

  /// A text of one to eighteen digits and nothing else, as nearly every length is.
  private static func number(_ text: String) -> Int64? {
    guard (1...18).contains(text.utf8.count) else { return nil }
    var number: Int64 = 0
    for byte in text.utf8 {
      guard let digit = digit(byte) else { return nil }
      number = number * 10 + Int64(digit)
    }
    return number
  }

  private func isChunked() throws(ResponseHeadError) -> Bool {
    guard let value = transferCodings.first else { return false }
    guard transferCodings.count == 1, Headers.matches(value, "chunked") else {
      throw ResponseHeadError("has a transfer-encoding other than chunked")
    }
    guard minorVersion == 1 else { throw ResponseHeadError("has a transfer-encoding, which its HTTP version excludes") }
    return true
  }

  private func coding() throws(ResponseHeadError) -> ContentCoding {
    var coding = ContentCoding.identity
    for value in contentCodings {
      for part in value.split(separator: ",") {
        let name = String(part.filter { $0 != " " && $0 != "\t" })
        guard let next = ContentCoding(field: name), next.isAvailable else {
          throw ResponseHeadError("has a content-encoding that was not asked for and cannot be decoded")
        }
        guard next != .identity else { continue }
        guard coding == .identity else { throw ResponseHeadError("has more than one content-encoding") }
        coding = next
      }
    }
    return coding
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte >= 0x30 && byte <= 0x39 ? Int(byte) - 0x30 : nil
  }
}
