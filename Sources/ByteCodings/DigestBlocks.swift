/// The blocks of a padded message, as the digests of RFC 1321, RFC 3174 and FIPS 180-4 process them.
enum DigestBlocks {
  /// Calls a function for each block, with the bytes that contain it and its offset in them.
  ///
  /// The padding is a one bit, zeros, and the number of bits of the message. It fills the last block.
  ///
  /// - Parameters:
  ///   - size: the number of bytes of a block: 64 or 128; the number of bits takes an eighth of it
  ///   - earlier: the number of bytes of the message before these; a multiple of the size
  ///   - isLittleEndian: whether the number of bits starts with its lowest byte
  static func forEach(
    of message: [UInt8], size: Int, after earlier: Int = 0, isLittleEndian: Bool = false,
    _ take: ([UInt8], _ offset: Int) -> Void
  ) {
    let rest = message.count % size
    let bits = UInt64(earlier + message.count) &* 8
    let count = withUnsafeBytes(of: isLittleEndian ? bits.littleEndian : bits.bigEndian) { Array($0) }
    var tail = Array(message.suffix(rest)) + [0x80]
    let used = tail.count + size / 8
    tail += [UInt8](repeating: 0, count: (size - used % size) % size + size / 8 - count.count) + count
    for offset in stride(from: 0, to: message.count - rest, by: size) { take(message, offset) }
    for offset in stride(from: 0, to: tail.count, by: size) { take(tail, offset) }
  }
}
