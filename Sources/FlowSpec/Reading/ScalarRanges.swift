import SourceDiagnostics
import YAMLSyntax

/// Finds the location in the file of a part of a scalar's text.
///
/// The location is exact for plain, single-quoted and double-quoted scalars on one line and for literal blocks. For
/// other scalars (folded text, aliases) it is the whole scalar. The bytes at the location are compared with the text,
/// so the location is never wrong.
struct ScalarRanges {
  private let scalar: YAMLScalar
  private let node: SourceRange

  init(_ scalar: YAMLScalar, at node: SourceRange) {
    self.scalar = scalar
    self.node = node
  }

  /// The source location of a range of UTF-8 bytes in the text.
  func range(of offsets: Range<Int>) -> SourceRange {
    if let start = verbatimStart, offsets.lowerBound >= 0, offsets.upperBound <= scalar.text.utf8.count {
      return SourceRange(file: node.file, offsets: start + offsets.lowerBound..<start + offsets.upperBound)
    }
    let text = Array(scalar.text.utf8)
    guard offsets.lowerBound >= 0, offsets.upperBound <= text.count, node.offsets.lowerBound >= 0,
      node.offsets.upperBound <= node.file.bytes.count,
      let starts = starts(of: text, in: node.file.bytes[node.offsets])
    else { return node }
    return SourceRange(file: node.file, offsets: starts[offsets.lowerBound]..<starts[offsets.upperBound])
  }

  /// The start of the text in the file, if the file contains the text byte for byte.
  ///
  /// This is true for a plain scalar, or a quoted scalar without escapes.
  private var verbatimStart: Int? {
    let quote: UInt8?
    switch scalar.style {
    case .plain: quote = nil
    case .singleQuoted: quote = UInt8(ascii: "'")
    case .doubleQuoted: quote = UInt8(ascii: "\"")
    case .literal, .folded: return nil
    }
    let written = node.offsets
    let count = scalar.text.utf8.count
    guard written.lowerBound >= 0, written.upperBound <= node.file.bytes.count,
      written.count == count + (quote == nil ? 0 : 2), quote == nil || node.file.bytes[written.lowerBound] == quote
    else { return nil }
    let start = written.lowerBound + (quote == nil ? 0 : 1)
    return node.file.bytes[start..<start + count].elementsEqual(scalar.text.utf8) ? start : nil
  }

  /// For each byte of the text, and for its end, the offset in the file at which it is written.
  private func starts(of text: [UInt8], in source: ArraySlice<UInt8>) -> [Int]? {
    switch scalar.style {
    case .plain:
      guard source.elementsEqual(text) else { return nil }
      return Array(source.startIndex...source.endIndex)
    case .singleQuoted:
      return quoted(text, source, quote: UInt8(ascii: "'"), unit: Self.singleQuotedUnit)
    case .doubleQuoted:
      return quoted(text, source, quote: UInt8(ascii: "\""), unit: Self.doubleQuotedUnit)
    case .literal:
      return literal(text, source)
    case .folded:
      return nil
    }
  }

  private func quoted(
    _ text: [UInt8], _ source: ArraySlice<UInt8>, quote: UInt8, unit: (ArraySlice<UInt8>) -> (count: Int, [UInt8])?
  ) -> [Int]? {
    guard source.count >= 2, source.first == quote, source.last == quote else { return nil }
    var rest = source.dropFirst().dropLast()
    var starts: [Int] = []
    var built: [UInt8] = []
    while !rest.isEmpty {
      guard let (count, bytes) = unit(rest) else { return nil }
      starts.append(contentsOf: repeatElement(rest.startIndex, count: bytes.count))
      built.append(contentsOf: bytes)
      rest = rest.dropFirst(count)
    }
    starts.append(rest.startIndex)
    return built == text ? starts : nil
  }

  /// Reads one character or escape: the number of its bytes in the file, and its bytes in the text.
  private static func singleQuotedUnit(_ rest: ArraySlice<UInt8>) -> (count: Int, [UInt8])? {
    guard let byte = rest.first else { return nil }
    return byte == UInt8(ascii: "'") ? (2, [byte]) : (1, [byte])
  }

  private static func doubleQuotedUnit(_ rest: ArraySlice<UInt8>) -> (count: Int, [UInt8])? {
    guard let byte = rest.first else { return nil }
    guard byte == UInt8(ascii: "\\") else { return (1, [byte]) }
    guard let escape = rest.dropFirst().first else { return nil }
    switch escape {
    case UInt8(ascii: "x"): return hexadecimal(rest, digits: 2)
    case UInt8(ascii: "u"): return hexadecimal(rest, digits: 4)
    case UInt8(ascii: "U"): return hexadecimal(rest, digits: 8)
    default: return simpleEscapes[escape].map { (2, Array($0.utf8)) }
    }
  }

  private static let simpleEscapes: [UInt8: String] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r",
    UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: " "): " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/",
    UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}",
    UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
  ]

  private static func hexadecimal(_ rest: ArraySlice<UInt8>, digits: Int) -> (count: Int, [UInt8])? {
    let text = rest.dropFirst(2).prefix(digits)
    guard text.count == digits, text.allSatisfy(ASCII.isHexDigit),
      let value = UInt32(String(decoding: text, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(value)
    else { return nil }
    return (digits + 2, Array(String(Character(scalar)).utf8))
  }

  /// The offsets for a literal block, whose lines all have the same indentation in the file.
  private func literal(_ text: [UInt8], _ source: ArraySlice<UInt8>) -> [Int]? {
    let newline = UInt8(ascii: "\n")
    guard let header = source.firstIndex(of: newline) else { return nil }
    let lines = text.split(separator: newline, omittingEmptySubsequences: false)
    let written = source[(header + 1)...].split(separator: newline, omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { !$0.isEmpty }), first < written.count else { return nil }
    let indent = written[first].count - lines[first].count
    var starts: [Int] = []
    for (index, line) in lines.enumerated() {
      guard index < written.count else {
        // The last line break of the text may be the last byte of the block.
        guard index == lines.count - 1, line.isEmpty else { return nil }
        starts.append(source.endIndex)
        continue
      }
      guard indent >= 0, line.isEmpty || written[index].dropFirst(indent).elementsEqual(line) else { return nil }
      let start = line.isEmpty ? written[index].endIndex : written[index].startIndex + indent
      starts.append(contentsOf: start...start + line.count)
    }
    return starts.count == text.count + 1 ? starts : nil
  }
}
