/// SHA-256 (FIPS 180-4) of a text that is in memory, and its HMAC (RFC 2104).
package struct SHA256Digest: Sendable {
  private let state: [UInt32]

  /// 32 bytes.
  package var bytes: [UInt8] {
    state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  /// 64 lower-case hexadecimal digits.
  package var hex: String {
    String(unsafeUninitializedCapacity: 64) { text in
      for (place, word) in state.enumerated() {
        for digit in 0..<8 {
          let nibble = UInt8(truncatingIfNeeded: word >> UInt32(28 - 4 * digit) & 15)
          text[place * 8 + digit] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
        }
      }
      return 64
    }
  }

  /// The message authentication code of a message under a key.
  package init(authenticating message: [UInt8], key: [UInt8]) {
    var block = key.count > 64 ? SHA256Digest(of: key).bytes : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = SHA256Digest(of: block.map { $0 ^ 0x36 } + message).bytes
    self.init(of: block.map { $0 ^ 0x5C } + inner)
  }

  /// Digests a message that is all there.
  package init(of message: [UInt8]) {
    var state = SHA256Digest.start
    // Its last bytes with what the standard puts behind them: one block, or two.
    let whole = message.count & ~63
    var tail = [UInt8](repeating: 0, count: message.count - whole < 56 ? 64 : 128)
    tail[message.count - whole] = 0x80
    let bits = UInt64(message.count) &* 8
    for place in 0..<8 { tail[tail.count - 1 - place] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * place)) }
    message.withUnsafeBytes { message in
      tail.withUnsafeMutableBytes { tail in
        UnsafeMutableRawBufferPointer(rebasing: tail[..<(message.count - whole)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: message[whole...]))
        SHA256Digest.constants.withUnsafeBufferPointer { constants in
          withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for (bytes, count) in [(message, whole), (UnsafeRawBufferPointer(tail), tail.count)] {
              for block in stride(from: 0, to: count, by: 64) {
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[block..<block + 64])
                SHA256Digest.compress(bytes, into: &state, words: words, constants: constants)
              }
            }
          }
        }
      }
    }
    self.state = state
  }

  private static func compress(
    _ block: UnsafeRawBufferPointer, into state: inout [UInt32], words: UnsafeMutableBufferPointer<UInt32>,
    constants: UnsafeBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    for index in 16..<64 {
      let early = words[index &- 15]
      let late = words[index &- 2]
      let small0 = rotate(early, 7) ^ rotate(early, 18) ^ early &>> 3
      let small1 = rotate(late, 17) ^ rotate(late, 19) ^ late &>> 10
      words[index] = words[index &- 16] &+ small0 &+ words[index &- 7] &+ small1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    /// One round: what it leaves in `d` and `h` is what the next one calls `e` and `a`.
    @inline(__always) func round(
      _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
      _ h: inout UInt32, _ index: Int
    ) {
      let big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let first = h &+ big1 &+ (g ^ e & (f ^ g)) &+ constants[index] &+ words[index]
      let big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      d = d &+ first
      h = first &+ big0 &+ (a & b | c & (a | b))
    }
    // Eight at once: after them every variable is in its own place again, and none was moved.
    var index = 0
    while index < 64 {
      round(a, b, c, &d, e, f, g, &h, index)
      round(h, a, b, &c, d, e, f, &g, index &+ 1)
      round(g, h, a, &b, c, d, e, &f, index &+ 2)
      round(f, g, h, &a, b, c, d, &e, index &+ 3)
      round(e, f, g, &h, a, b, c, &d, index &+ 4)
      round(d, e, f, &g, h, a, b, &c, index &+ 5)
      round(c, d, e, &f, g, h, a, &b, index &+ 6)
      round(b, c, d, &e, f, g, h, &a, index &+ 7)
      index &+= 8
    }
    state.withUnsafeMutableBufferPointer { state in
      (state[0], state[1], state[2], state[3]) = (state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d)
      (state[4], state[5], state[6], state[7]) = (state[4] &+ e, state[5] &+ f, state[6] &+ g, state[7] &+ h)
    }
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

  private static let start: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

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
