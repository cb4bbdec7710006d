internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

/// Converts JSON to UTF-8 from the charset that the `Content-Type` header declares.
///
/// JSON is UTF-8 (RFC 8259, section 8.1), and many servers declare another charset by mistake. The first character that
/// is not ASCII decides: if it is UTF-8, all of the text is.
final class CharsetStage: BodyStage {
  private enum Mode { case undecided, utf8, declared }

  private let encoding: ResponseFormat.Encoding
  private let text: TextStage
  private let held = ByteBuffer(capacity: 64)
  private var mode = Mode.undecided

  init(_ encoding: ResponseFormat.Encoding) {
    self.encoding = encoding
    text = TextStage(encoding)
  }

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    switch mode {
    case .utf8: out.append(input)
    case .declared: _ = try text.read(input, into: out)
    case .undecided:
      held.append(input)
      try decide(isFinal: false, into: out)
    }
    return input.count
  }

  func finish(into out: ByteBuffer) throws(ReactorError) { try endDocument(into: out) }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    if mode == .undecided { try decide(isFinal: true, into: out) }
    if mode == .declared { try text.endDocument(into: out) }
    mode = .undecided
  }

  private func decide(isFinal: Bool, into out: ByteBuffer) throws(ReactorError) {
    let bytes = held.bytes
    guard bytes.count >= 4 || isFinal else { return }
    if encoding.isWide {
      // Two bytes of one ASCII character of UTF-16 have a zero.
      mode = bytes.prefix(2).contains(where: { $0 == 0 || $0 >= 0xFE }) ? .declared : .utf8
    } else if let first = bytes.firstIndex(where: { $0 >= 0x80 }) {
      guard bytes.count - first >= 4 || isFinal else { return pass(first, into: out) }
      mode = Self.startsCharacter(UnsafeBufferPointer(rebasing: bytes[first...])) ? .utf8 : .declared
    } else {
      return pass(bytes.count, into: out)
    }
    if mode == .declared { _ = try text.read(bytes, into: out) } else { out.append(bytes) }
    held.removeAll()
  }

  /// Moves the first `count` held bytes to the output unchanged; they are ASCII.
  private func pass(_ count: Int, into out: ByteBuffer) {
    out.append(UnsafeBufferPointer(rebasing: held.bytes[..<count]))
    held.removeFirst(count)
  }

  /// Whether the bytes begin with a character of UTF-8 of two to four bytes.
  private static func startsCharacter(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let count =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    return count > 0 && bytes.count >= count && bytes[1..<count].allSatisfy { $0 & 0xC0 == 0x80 }
  }
}

extension ResponseFormat.Encoding {
  /// Whether each character of the encoding has at least two bytes.
  fileprivate var isWide: Bool {
    switch self {
    case .utf16, .utf16LittleEndian, .utf16BigEndian: true
    case .utf8, .latin1, .windows1252: false
    }
  }

  /// The encoding of a charset in a header (`Content-Type`), by its registered names; nil for UTF-8 and unknown ones.
  package init?(charset name: String) {
    switch name.lowercased() {
    case "iso-8859-1", "iso8859-1", "latin1", "l1", "us-ascii": self = .latin1
    case "windows-1252", "cp1252", "cp-1252": self = .windows1252
    case "utf-16": self = .utf16
    case "utf-16le": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    default: return nil
    }
  }
}
