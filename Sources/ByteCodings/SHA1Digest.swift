/// Computes SHA-1 (RFC 3174) of a message in memory. It is no longer secure for signatures, but some interfaces require
/// it.
struct SHA1Digest: Sendable {
  private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]

  /// The digest, 20 bytes.
  var bytes: [UInt8] { state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } } }

  /// Computes the digest of a message.
  init(of message: [UInt8]) {
    var state = state
    var words = [UInt32](repeating: 0, count: 80)
    DigestBlocks.forEach(of: message, size: 64) { Self.take($0, at: $1, &words, into: &state) }
    self.state = state
  }

  private static func take(
    _ bytes: [UInt8], at offset: Int, _ words: inout [UInt32], into state: inout [UInt32]
  ) {
    for index in 0..<16 {
      let start = offset + 4 * index
      let high = UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16
      words[index] = high | UInt32(bytes[start + 2]) << 8 | UInt32(bytes[start + 3])
    }
    for index in 16..<80 {
      words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for step in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch step / 20 {
        case 0: (b & c | ~b & d, 0x5a82_7999)
        case 1: (b ^ c ^ d, 0x6ed9_eba1)
        case 2: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ words[step]
      (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
    }
    for (position, word) in [a, b, c, d, e].enumerated() { state[position] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &<< count | word &>> (32 - count) }
}
