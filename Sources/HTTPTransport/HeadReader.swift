internal import ReactorCore

/// Reads and checks the header lines of one response.
///
/// Refuses responses that RFC 9112 calls errors but libcurl accepts: two different content lengths, a content length
/// together with a transfer coding, folded lines, control bytes, and a partial response that was not requested.
///
/// libcurl splits the received bytes into lines; the reader takes one line at a time. Informational heads arrive first
/// and are dropped. Lines after the final head are trailers; they are counted and dropped.
struct HeadReader {
  /// The result of one line.
  enum Event {
    /// The head is not complete yet, or the line was ignored.
    case more
    /// The final head is complete.
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

  init(maxBytes: Int, maxFields: Int, isHead: Bool, asksForRange: Bool) {
    self.maxBytes = maxBytes
    self.maxFields = maxFields
    self.isHead = isHead
    self.asksForRange = asksForRange
  }

  /// Reads one header line, including its line end.
  mutating func read(_ line: UnsafeRawBufferPointer) throws(ResponseHeadError) -> Event {
    byteCount += line.count
    guard byteCount <= maxBytes else { throw ResponseHeadError("has more than \(maxBytes) bytes of header fields") }
    var text = line[...]
    if text.last == 0x0a { text.removeLast() }
    if text.last == 0x0d { text.removeLast() }
    guard HeaderSyntax.isValue(text) else { throw ResponseHeadError("has a control byte in its header") }
    switch phase {
    case .start:
      try readStatus(text)
      phase = .fields
    case .fields where text.isEmpty:
      return try endOfHead()
    case .fields:
      headers.append(try readField(text))
    case .body:
      if !text.isEmpty { _ = try readField(text) }
    }
    return .more
  }

  // MARK: - Lines

  private mutating func readStatus(_ text: Slice<UnsafeRawBufferPointer>) throws(ResponseHeadError) {
    // An example is "HTTP/1.1 200 OK". libcurl writes the version HTTP/2 without a minor version.
    guard text.starts(with: "HTTP/".utf8), let space = text.firstIndex(of: 0x20) else {
      throw ResponseHeadError("does not begin with a status line")
    }
    switch String(decoding: text[5..<space], as: UTF8.self) {
    case "1.0": minorVersion = 0
    case "1.1": minorVersion = 1
    case "2", "3": minorVersion = nil
    default: throw ResponseHeadError("has an unknown HTTP version")
    }
    let code = text[(space + 1)...].prefix { $0 != 0x20 }
    guard code.count == 3, let number = Self.number(code), number >= 100 else {
      throw ResponseHeadError("has a status that is not a number from 100 to 999")
    }
    status = Int(number)
  }

  private mutating func readField(_ text: Slice<UnsafeRawBufferPointer>) throws(ResponseHeadError) -> Headers.Field {
    fieldCount += 1
    guard fieldCount <= maxFields else { throw ResponseHeadError("has more than \(maxFields) header fields") }
    guard let first = text.first, first != 0x20, first != 0x09 else {
      throw ResponseHeadError("has a folded header field")
    }
    guard let colon = text.firstIndex(of: 0x3a), colon > text.startIndex else {
      throw ResponseHeadError("has a header line without a name")
    }
    guard text[..<colon].allSatisfy(HeaderSyntax.isToken) else {
      throw ResponseHeadError("has a header name with a character that is not allowed")
    }
    var value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
    return Headers.Field(String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private mutating func endOfHead() throws(ResponseHeadError) -> Event {
    if status < 200 {
      guard status != 101 else { throw ResponseHeadError("switches protocols (101), which was not requested") }
      informationalCount += 1
      guard informationalCount <= 32 else {
        throw ResponseHeadError("is preceded by more than 32 informational (1xx) responses")
      }
      phase = .start
      headers = []
      return .more
    }
    phase = .body
    return .complete(try checkedHead(Headers(headers)))
  }

  // MARK: - Framing

  private func checkedHead(_ headers: Headers) throws(ResponseHeadError) -> ResponseHead {
    guard status != 206 || asksForRange else {
      throw ResponseHeadError("is a part (206), but no range was requested")
    }
    let length = try declaredLength(headers)
    let isChunked = try isChunked(headers)
    guard length == nil || !isChunked else {
      throw ResponseHeadError("has both a content-length and a transfer-encoding field")
    }
    let hasNoBody = isHead || status == 204 || status == 304
    if status == 204, isChunked || (length ?? 0) > 0 {
      throw ResponseHeadError("has a body, which status 204 excludes")
    }
    if status == 304, isChunked { throw ResponseHeadError("has a body, which status 304 excludes") }
    return ResponseHead(
      status: status, isHTTP1: minorVersion != nil, headers: headers,
      coding: hasNoBody ? .identity : try coding(headers), length: hasNoBody ? 0 : length,
      endsWithConnection: !hasNoBody && length == nil && !isChunked && minorVersion != nil)
  }

  private func declaredLength(_ headers: Headers) throws(ResponseHeadError) -> Int64? {
    var declared: Int64?
    for value in headers.values("Content-Length") {
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let length = Self.number(part.utf8.filter { $0 != 0x20 && $0 != 0x09 }) else {
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

  /// The number that 1 to 18 decimal digits make. Nil for any other text.
  private static func number(_ digits: some Collection<UInt8>) -> Int64? {
    guard (1...18).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  private func isChunked(_ headers: Headers) throws(ResponseHeadError) -> Bool {
    let codings = headers.values("Transfer-Encoding")
    guard let value = codings.first else { return false }
    guard codings.count == 1, Headers.matches(value, "chunked") else {
      throw ResponseHeadError("has a transfer-encoding other than chunked")
    }
    guard minorVersion == 1 else { throw ResponseHeadError("has a transfer-encoding, which its HTTP version excludes") }
    return true
  }

  private func coding(_ headers: Headers) throws(ResponseHeadError) -> ContentCoding {
    var coding = ContentCoding.identity
    for value in headers.values("Content-Encoding") {
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

}
