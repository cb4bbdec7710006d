import Testing

@testable import ReactorCore

@Suite struct RecordsDigestTests {
  private static func digest(_ pieces: [[UInt8]]) -> Int {
    var digest = RecordsDigest()
    for piece in pieces { piece.withUnsafeBytes { digest.combine($0) } }
    return digest.value
  }

  private static let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37) }

  @Test func `it is the same however the bytes come in pieces`() {
    let whole = Self.digest([Self.bytes])
    for size in 1...17 {
      let pieces = stride(from: 0, to: Self.bytes.count, by: size).map {
        Array(Self.bytes[$0..<min($0 + size, Self.bytes.count)])
      }
      #expect(Self.digest(pieces) == whole, "pieces of \(size)")
    }
    #expect(Self.digest([[], Self.bytes, []]) == whole)
  }

  @Test func `every byte and the length count`() {
    var found: Set<Int> = [Self.digest([Self.bytes])]
    for place in Self.bytes.indices {
      var changed = Self.bytes
      changed[place] ^= 1
      found.insert(Self.digest([changed]))
      found.insert(Self.digest([Array(Self.bytes.prefix(place))]))
    }
    for zeros in 1...20 { found.insert(Self.digest([Self.bytes + Array(repeating: 0, count: zeros)])) }
    #expect(found.count == 1 + 2 * Self.bytes.count + 20)
  }
}
