/// Computes SHA-256 (FIPS 180-4) of a message in memory, or of one that arrives in pieces.
package struct SHA256Digest: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// The digest, 32 bytes.
  package var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      for byte in 0..<32 { bytes[byte] = UInt8(truncatingIfNeeded: state[byte / 4] >> UInt32(24 - byte % 4 * 8)) }
      count = 32
    }
  }

  /// The digest as 64 lower-case hexadecimal digits.
  package var hex: String { Hex.text(bytes) }

  /// The last bytes of the message so far, fewer than a block.
  private var rest: [UInt8] = []
  /// The number of bytes of the message before `rest`.
  private var count = 0

  /// Begins the digest of a message that arrives in pieces. `bytes` is the digest after `finish`.
  package init() {}

  /// Computes the digest of a message.
  package init(of message: [UInt8]) {
    rest = message
    finish()
  }

  /// Adds the next piece of the message.
  package mutating func update(_ piece: [UInt8]) {
    let message = rest.isEmpty ? piece : rest + piece
    let whole = message.count - message.count % 64
    var words = [UInt32](repeating: 0, count: 64)
    for offset in stride(from: 0, to: whole, by: 64) { take(message, at: offset, &words) }
    rest = Array(message[whole...])
    count += whole
  }

  /// Ends the message.
  package mutating func finish() {
    var words = [UInt32](repeating: 0, count: 64)
    var digest = self
    DigestBlocks.forEach(of: rest, size: 64, after: count) { digest.take($0, at: $1, &words) }
    (state, rest) = (digest.state, [])
  }

  /// Processes the block of 64 bytes at an offset.
  private mutating func take(_ bytes: [UInt8], at offset: Int, _ words: inout [UInt32]) {
    for index in 0..<16 {
      let start = offset + 4 * index
      let (high, low) = (
        UInt32(bytes[start]) << 8 | UInt32(bytes[start + 1]), UInt32(bytes[start + 2]) << 8 | UInt32(bytes[start + 3])
      )
      words[index] = high << 16 | low
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let small0 = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ early >> 3
      let small1 = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ small0 &+ words[index - 7] &+ small1
    }
    var (a, b, c, d, e, f, g, h) = (state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7])
    for (word, constant) in zip(words, Self.constants) {
      let big1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
      let first = h &+ big1 &+ (e & f ^ ~e & g) &+ constant &+ word
      let big0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
      let second = big0 &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (position, word) in [a, b, c, d, e, f, g, h].enumerated() { state[position] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 - count) }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
