internal import JSONSyntax

/// Records with the paths of their files: length of the path, length of the record, path, record.
///
/// Frames never leave the process.
public struct SplitFrames {
  private static let headBytes = 8

  /// Appends a frame around the record that `write` appends.
  static func append(_ path: String, to out: ByteBuffer, _ write: () -> Void) {
    let start = out.count
    for _ in 0..<headBytes { out.append(0) }
    let length = path.utf8.count
    out.append(utf8: path)
    write()
    let head = UnsafeMutableRawPointer(out.base + start)
    head.storeBytes(of: UInt32(truncatingIfNeeded: length), as: UInt32.self)
    // The reader limits a record to 32 MiB, so the length fits in 32 bits.
    head.storeBytes(
      of: UInt32(truncatingIfNeeded: out.count - start - headBytes - length), toByteOffset: 4, as: UInt32.self)
  }

  /// Reads the complete frames of some bytes, in order.
  ///
  /// - Returns: the number of bytes read; a frame that continues in later bytes is not read
  public static func read<Failure>(
    _ bytes: UnsafeRawBufferPointer,
    _ take: (_ path: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var at = 0
    while bytes.count - at >= headBytes {
      let path = Int(bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      let record = Int(bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
      let start = at + headBytes
      guard bytes.count - start >= path + record else { break }
      at = start + path + record
      try take(
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + path]),
        UnsafeRawBufferPointer(rebasing: bytes[start + path..<at]))
    }
    return at
  }
}
