internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

/// Converts text of a declared encoding to UTF-8 without a byte order mark.
final class TextStage: BodyStage {
  private let encoding: ResponseFormat.Encoding
  /// The first bytes of a character whose other bytes are in the next chunk.
  private let pending = ByteBuffer(capacity: 64)
  private var isAtStart = true
  private var isLittleEndian: Bool
  /// The first half of a surrogate pair.
  private var highSurrogate: UInt16?
  /// The number of line breaks so far, for messages.
  private var line = 1

  init(_ encoding: ResponseFormat.Encoding) {
    self.encoding = encoding
    isLittleEndian = encoding == .utf16LittleEndian
  }

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    pending.append(input)
    try convert(isFinal: false, into: out)
    return input.count
  }

  func finish(into out: ByteBuffer) throws(ReactorError) { try endDocument(into: out) }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    try convert(isFinal: true, into: out)
    guard pending.count == 0, highSurrogate == nil else {
      throw .cut("the response ends in the middle of a character (line \(line))")
    }
    isAtStart = true
    line = 1
  }

  private func convert(isFinal: Bool, into out: ByteBuffer) throws(ReactorError) {
    if isAtStart {
      guard pending.count >= 3 || isFinal else { return }
      isAtStart = false
      try takeMark()
    }
    let used =
      switch encoding {
      case .utf8: try utf8(into: out)
      case .latin1, .windows1252: try bytes(into: out)
      case .utf16, .utf16LittleEndian, .utf16BigEndian: try utf16(into: out)
      }
    pending.removeFirst(used)
  }

  /// Removes the byte order mark of the declared encoding; throws when the text has the mark of another encoding.
  private func takeMark() throws(ReactorError) {
    let bytes = pending.bytes
    let isUTF16 = bytes.count >= 2 && ((bytes[0] == 0xFE && bytes[1] == 0xFF) || (bytes[0] == 0xFF && bytes[1] == 0xFE))
    let isUTF8 = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    switch encoding {
    case .utf16:
      guard !isUTF8 else { throw refusal(byMarkOf: .utf8) }
      guard isUTF16 else { return }
      isLittleEndian = bytes[0] == 0xFF
      pending.removeFirst(2)
    case .utf16LittleEndian, .utf16BigEndian:
      guard !isUTF8, !isUTF16 || (bytes[0] == 0xFF) == isLittleEndian else {
        throw refusal(byMarkOf: isUTF8 ? .utf8 : isLittleEndian ? .utf16BigEndian : .utf16LittleEndian)
      }
      if isUTF16 { pending.removeFirst(2) }
    case .utf8:
      guard !isUTF16 else { throw refusal(byMarkOf: .utf16) }
      if isUTF8 { pending.removeFirst(3) }
    case .latin1, .windows1252:
      guard !isUTF8, !isUTF16 else { throw refusal(byMarkOf: isUTF8 ? .utf8 : .utf16) }
    }
  }

  private func refusal(byMarkOf other: ResponseFormat.Encoding) -> ReactorError {
    var error = ReactorError.parser(
      "the response is not \(encoding.rawValue): it begins with the byte order mark of \(other.rawValue)")
    error.help = "write 'encoding: \(other.rawValue)' in the flow's 'decode'"
    error.key = "decode"
    return error
  }

  private func utf8(into out: ByteBuffer) throws(ReactorError) -> Int {
    let whole = pending.count - UTF8Text.incompleteSuffix(of: pending.bytes)
    let bytes = UnsafeBufferPointer(rebasing: pending.bytes[..<whole])
    if let offset = UTF8Text.firstInvalidOffset(in: bytes) {
      var error = ReactorError.parser(
        "the response is not utf-8: the byte 0x\(String(bytes[offset], radix: 16)) in line \(line + Self.breaks(in: bytes[..<offset])) does not begin a character"
      )
      error.help = "declare its encoding, for example 'decode: { format: …, encoding: latin1 }'"
      error.key = "decode"
      throw error
    }
    line += Self.breaks(in: bytes[...])
    out.append(bytes)
    return whole
  }

  private func bytes(into out: ByteBuffer) throws(ReactorError) -> Int {
    let bytes = pending.bytes
    out.reserve(bytes.count * 3)
    for byte in bytes {
      if byte < 0x80 {
        if byte == 0x0A { line += 1 }
        out.append(byte)
        continue
      }
      var scalar = UInt16(byte)
      if encoding == .windows1252, byte < 0xA0 {
        scalar = Self.windows1252[Int(byte) - 0x80]
        guard scalar != 0 else {
          throw .parser(
            "the response is not windows-1252: the byte 0x\(String(byte, radix: 16)) in line \(line) "
              + "is not a character of this encoding")
        }
      }
      append(UInt32(scalar), to: out)
    }
    return bytes.count
  }

  private func utf16(into out: ByteBuffer) throws(ReactorError) -> Int {
    let bytes = pending.bytes
    let count = bytes.count & ~1
    out.reserve(count * 2)
    var offset = 0
    while offset < count {
      let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
      let unit = isLittleEndian ? second << 8 | first : first << 8 | second
      offset += 2
      if let high = highSurrogate {
        guard unit & 0xFC00 == 0xDC00 else { throw halfPair }
        append(0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF)), to: out)
        highSurrogate = nil
      } else if unit & 0xFC00 == 0xD800 {
        highSurrogate = unit
      } else {
        guard unit & 0xFC00 != 0xDC00 else { throw halfPair }
        if unit == 0x0A { line += 1 }
        append(UInt32(unit), to: out)
      }
    }
    return count
  }

  private var halfPair: ReactorError {
    .parser("the response is not \(encoding.rawValue): line \(line) has half of a surrogate pair")
  }

  private func append(_ scalar: UInt32, to out: ByteBuffer) {
    switch scalar {
    case ..<0x80: out.append(UInt8(scalar))
    case ..<0x800:
      out.append(UInt8(0xC0 | scalar >> 6))
      out.append(UInt8(0x80 | scalar & 0x3F))
    case ..<0x10000:
      out.append(UInt8(0xE0 | scalar >> 12))
      out.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      out.append(UInt8(0x80 | scalar & 0x3F))
    default:
      out.append(UInt8(0xF0 | scalar >> 18))
      out.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      out.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      out.append(UInt8(0x80 | scalar & 0x3F))
    }
  }

  private static func breaks(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var count = 0
    for byte in bytes where byte == 0x0A { count &+= 1 }
    return count
  }

  /// The characters 0x80 to 0x9F of windows-1252; 0 for a byte without one.
  private static let windows1252: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
  ]
}
