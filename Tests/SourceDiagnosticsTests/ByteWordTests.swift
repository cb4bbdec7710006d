import SourceDiagnostics
import TestSupport
import Testing

@Suite struct ByteWordTests {
  /// The highest bit of each byte for which a question is answered with yes.
  private static func bits(_ bytes: [UInt8], _ holds: (UInt8) -> Bool) -> UInt64 {
    bytes.enumerated().reduce(0) { $0 | (holds($1.element) ? 0x80 << UInt64($1.offset * 8) : 0) }
  }

  @Test func `every byte has its own result`() {
    var random = SeededGenerator(8)
    for round in 0..<4096 {
      // Neighbours that are all alike are where a carry would show.
      let common = UInt8(truncatingIfNeeded: round)
      let bytes = (0..<10).map { _ in random.next() % 2 == 0 ? common : UInt8(truncatingIfNeeded: random.next()) }
      let offset = round % 3
      let seen = Array(bytes[offset..<offset + ByteWord.count])
      let word = bytes.withUnsafeBufferPointer { ByteWord($0, at: offset) }
      #expect(word.beyondASCII == Self.bits(seen) { $0 >= 0x80 })
      for byte in [0, 0x0A, 0x0D, 0x20, 0x25, 0x7F, 0x80, 0xFF, common] {
        #expect(word.equal(byte) == Self.bits(seen) { $0 == byte })
        if byte <= 0x80 { #expect(word.below(byte) == Self.bits(seen) { $0 < byte }) }
      }
    }
  }

  @Test(arguments: 0..<64) func `lines begin where a reader of single bytes sees them begin`(seed: UInt64) {
    var random = SeededGenerator(seed)
    let letters: [UInt8] = [0x0A, 0x0D, 0x09, 0x00, 0x0E, 0x41, 0x8A, 0x8D, 0xFF]
    let bytes = (0..<Int(seed) * 2).map { _ in
      random.next() % 4 == 0 ? 0x61 : letters.randomElement(using: &random) ?? 0
    }
    var count = 1
    for (index, byte) in bytes.enumerated() {
      let isReturn = byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
      if byte == 0x0A || isReturn { count += 1 }
    }
    let file = SourceFile(path: "a", bytes: bytes)
    #expect(file.lineCount == count)
    for (index, byte) in bytes.enumerated() where byte == 0x0A {
      #expect(file.position(at: index + 1).column == 1)
    }
  }
}
