import Storage
import Testing

@Suite struct ContentHashTests {
  /// From the reference implementation (`xxhsum -H1`, and python-xxhash for the noise).
  @Test(arguments: [
    ("", 0xEF46_DB37_51D8_E999 as UInt64), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
  ])
  func `known texts have their known hash`(_ text: String, _ expected: UInt64) {
    #expect(ContentHash.of(text.utf8) == expected)
  }

  @Test func `known bytes of every length have their known hash`() {
    // The hash of all hashes of the first n noise bytes, n from 0 to 299, as little-endian bytes.
    let noise = [UInt8].noise(300)
    var all = ContentHash()
    for count in 0..<300 {
      withUnsafeBytes(of: ContentHash.of(noise[..<count]).littleEndian) { all.update($0) }
    }
    #expect(all.value == 0x4BDC_E4CB_9C7D_254C)
  }

  @Test func `pieces of any size give the hash of the whole`() {
    let noise = [UInt8].noise(2000)
    let whole = ContentHash.of(noise)
    for size in 1...97 {
      var hash = ContentHash()
      var at = 0
      while at < noise.count {
        let end = min(at + size, noise.count)
        noise[at..<end].withUnsafeBytes { hash.update($0) }
        at = end
      }
      #expect(hash.value == whole)
      #expect(hash.count == 2000)
    }
  }
}
