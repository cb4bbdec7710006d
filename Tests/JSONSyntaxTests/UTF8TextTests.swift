import Testing

@testable import JSONSyntax

@Suite struct UTF8TextTests {
  private static let edges: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  /// What the standard library says, sequence by sequence.
  private func firstInvalid(_ bytes: [UInt8]) -> Int? {
    var parser = UTF8.ForwardParser()
    var (rest, offset) = (bytes.makeIterator(), 0)
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let sequence): offset += sequence.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }

  @Test func `ill-formed sequences are found where the standard library finds them`() {
    for a in Self.edges {
      for b in Self.edges {
        for c in Self.edges {
          for d in [0x41, 0x80, 0xBF, 0xC2] as [UInt8] {
            for head in [[], Array("plain text ".utf8)] {
              let bytes = head + [a, b, c, d]
              let found = bytes.withUnsafeBufferPointer { UTF8Text.firstInvalidOffset(in: $0) }
              if found != firstInvalid(bytes) { Issue.record("\(bytes): \(String(describing: found))") }
            }
          }
        }
      }
    }
  }

  @Test func `texts are quoted the same at every offset`() {
    for length in 0..<20 {
      for special in [nil, 0x00, 0x1F, 0x20, 0x22, 0x5C, 0x7F, 0x80, 0xA2, 0xDC, 0xFF] as [UInt8?] {
        for index in 0..<max(length, 1) {
          var bytes = [UInt8](repeating: 0x61, count: length)
          if let special, index < length { bytes[index] = special }
          let out = ByteBuffer(capacity: 1)
          bytes.withUnsafeBufferPointer { EscapedText.quote($0, into: out) }
          let escapes: [UInt8: String] = [0x00: "\\u0000", 0x1F: "\\u001f", 0x22: "\\\"", 0x5C: "\\\\"]
          let wanted = bytes.flatMap { byte in escapes[byte].map { Array($0.utf8) } ?? [byte] }
          #expect(out.copy() == [0x22] + wanted + [0x22])
        }
      }
    }
  }
}
