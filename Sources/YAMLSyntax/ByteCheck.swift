internal import SourceDiagnostics

/// Checks a file's bytes before libyaml reads them: size, encoding, and characters that hide text.
///
/// Without this check, libyaml would accept UTF-16. It would treat U+0085, U+2028 and U+2029 as line breaks, which no
/// editor shows as such. It would report invalid bytes without line and column.
struct ByteCheck {
  /// The offset of the text in the file: 0, or the end of a byte order mark.
  private(set) var base = 0
  /// Whether all bytes are ASCII.
  private(set) var isASCII = true
  /// Whether the bytes can be passed to libyaml. False if the file is too large, is UTF-16 or UTF-32, or has too many
  /// problems.
  private(set) var isReadable = true
  private var tagDirectives = 0
  private static let maximumTagDirectives = 64

  /// Checks a file and reports every problem.
  init(_ file: SourceFile, limits: YAMLLimits, isStrict: Bool, problems: inout ProblemList) {
    let bytes = file.bytes
    guard bytes.count <= limits.bytes else {
      problems.report(
        .yamlTooLarge, "the file has \(bytes.count) bytes; the limit is \(limits.bytes)", at: 0..<0,
        help: "split it into several files")
      isReadable = false
      return
    }
    if let encoding = Self.foreignEncoding(bytes) {
      problems.report(
        .yamlWrongEncoding, "the file is written in \(encoding), not in UTF-8", at: 0..<0, help: "save it as UTF-8")
      isReadable = false
      return
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { base = 3 }
    bytes.withUnsafeBufferPointer { check($0, isStrict, &problems) }
  }

  /// The name of the encoding if the first bytes are those of UTF-16 or UTF-32; otherwise nil.
  private static func foreignEncoding(_ bytes: [UInt8]) -> String? {
    let start = bytes.prefix(4)
    if start.starts(with: [0xFF, 0xFE, 0, 0]) || start.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    guard start.count == 4 else { return nil }
    let zeros = start.map { $0 == 0 }
    if zeros == [true, true, true, false] || zeros == [false, true, true, true] { return "UTF-32" }
    if zeros == [true, false, true, false] || zeros == [false, true, false, true] { return "UTF-16" }
    return nil
  }

  private mutating func check(
    _ bytes: UnsafeBufferPointer<UInt8>, _ isStrict: Bool, _ problems: inout ProblemList
  ) {
    var offset = base
    while offset < bytes.count, !problems.isFull {
      if offset &+ ByteWord.count <= bytes.count, Self.isPlain(ByteWord(bytes, at: offset)) {
        offset &+= ByteWord.count
        continue
      }
      let byte = bytes[offset]
      if byte < 0x80 {
        if byte < 0x20 || byte == 0x7F { checkControl(byte, offset, &problems) }
        if byte == UInt8(ascii: "%") { checkDirective(bytes, offset, &problems) }
        offset += 1
        continue
      }
      isASCII = false
      guard let (scalar, length) = UTF8Decoding.scalar(in: bytes, at: offset) else {
        let end = Self.endOfBadBytes(bytes, from: offset)
        report(
          .yamlInvalidUTF8, "\(end - offset == 1 ? "a byte is" : "\(end - offset) bytes are") not UTF-8",
          offset..<end, "save the file as UTF-8", &problems)
        offset = end
        continue
      }
      if scalar.value < 0xA0 || (0x2000...0x206F).contains(scalar.value) || scalar.value >= 0xFEFF {
        check(scalar, offset..<offset + length, isStrict, &problems)
      }
      offset += length
    }
    if problems.isFull { isReadable = false }
  }

  /// Whether each byte is a line feed or printable ASCII except `%`.
  private static func isPlain(_ word: ByteWord) -> Bool {
    let odd = word.below(0x20) & ~word.equal(UInt8(ascii: "\n"))
    return odd | word.equal(0x7F) | word.equal(UInt8(ascii: "%")) | word.beyondASCII == 0
  }

  /// The end of a run of invalid bytes, at most 16 bytes long. All of them are reported as one problem, for example in
  /// a word in Latin-1.
  private static func endOfBadBytes(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, end - start < 16, bytes[end] >= 0x80,
      UTF8Decoding.scalar(in: bytes, at: end) == nil
    { end += 1 }
    return end
  }

  /// Limits the number of `%TAG` directives, because libyaml compares each directive with all others.
  private mutating func checkDirective(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ problems: inout ProblemList
  ) {
    guard offset == base || TextView.isBreak(bytes[offset - 1]) else { return }
    guard bytes[offset...].prefix(4).elementsEqual("%TAG".utf8) else { return }
    tagDirectives += 1
    guard tagDirectives == Self.maximumTagDirectives + 1 else { return }
    report(
      .yamlTagDirective, "the file has more than \(Self.maximumTagDirectives) %TAG directives", offset..<offset + 4,
      "remove them; only the core tags (!!str, !!int, ...) are known", &problems)
  }

  private mutating func checkControl(_ byte: UInt8, _ offset: Int, _ problems: inout ProblemList) {
    switch byte {
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
    case 0:
      report(
        .yamlNullByte, "the file contains a NUL byte", offset..<offset + 1,
        "remove it, or write \\0 in double quotes if you need it", &problems)
    default:
      report(
        .yamlControlCharacter, "the control character \(Self.name(Unicode.Scalar(byte))) is not allowed in a file",
        offset..<offset + 1, Self.escapeAdvice(Unicode.Scalar(byte)), &problems)
    }
  }

  private mutating func check(
    _ scalar: Unicode.Scalar, _ offsets: Range<Int>, _ isStrict: Bool, _ problems: inout ProblemList
  ) {
    switch scalar.value {
    case 0x85, 0x2028, 0x2029:
      guard isStrict else { return }
      report(
        .yamlHiddenLineBreak, "\(Self.name(scalar)) is a line break that most editors do not show", offsets,
        "replace it with a real line break, or write \(Self.escape(scalar)) in double quotes", &problems)
    case 0x7F...0x9F, 0xFFFE, 0xFFFF:
      report(
        .yamlControlCharacter, "the control character \(Self.name(scalar)) is not allowed in a file", offsets,
        Self.escapeAdvice(scalar), &problems)
    case 0xFEFF:
      report(
        .yamlByteOrderMark, "a byte order mark is allowed only at the start of a file", offsets,
        "remove it; it is left over from joining files", &problems)
    case 0x202A...0x202E, 0x2066...0x2069:
      guard isStrict else { return }
      // These characters show text in a different order than it is read (CVE-2021-42574).
      report(
        .yamlHiddenDirection, "\(Self.name(scalar)) makes the text look different from what it says", offsets,
        "remove it, or write \(Self.escape(scalar)) in double quotes", &problems)
    default: return
    }
  }

  private mutating func report(
    _ problem: DiagnosticCatalogue.Entry, _ message: String, _ offsets: Range<Int>, _ help: String,
    _ problems: inout ProblemList
  ) {
    problems.report(problem, message, at: offsets, help: help)
    isReadable = false
  }

  private static func name(_ scalar: Unicode.Scalar) -> String { "U+" + hexadecimal(scalar) }

  private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u" + hexadecimal(scalar) }

  private static func escapeAdvice(_ scalar: Unicode.Scalar) -> String {
    "remove it, or write \(escape(scalar)) in double quotes if you need it"
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
