internal import JSONSyntax

/// A record for a merge: fingerprint, length of the body, body.
///
/// The frame of a deleted record has no body. Frames never leave the process.
struct RecordFrame {
  static let headBytes = 20

  let print: RecordFingerprint
  let body: UnsafeRawBufferPointer
  /// The offset of the next frame.
  let end: Int

  /// Reads a frame; nil at the end of the part.
  init?(_ part: UnsafeRawBufferPointer, at start: Int) {
    guard part.count - start >= Self.headBytes else { return nil }
    print = RecordFingerprint(
      first: part.loadUnaligned(fromByteOffset: start, as: Int.self),
      second: part.loadUnaligned(fromByteOffset: start + 8, as: Int.self))
    let length = Int(part.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self))
    let first = start + Self.headBytes
    guard part.count - first >= length else { return nil }
    body = UnsafeRawBufferPointer(rebasing: part[first..<first + length])
    end = first + length
  }

  /// Writes a frame around the body that `write` appends.
  static func append(_ print: RecordFingerprint, to out: ByteBuffer, _ write: () -> Void) {
    let start = out.count
    for _ in 0..<headBytes { out.append(0) }
    write()
    let head = UnsafeMutableRawPointer(out.base + start)
    head.storeBytes(of: print.first, as: Int.self)
    head.storeBytes(of: print.second, toByteOffset: 8, as: Int.self)
    // The reader limits a record to 32 MiB, so the length fits in 32 bits.
    head.storeBytes(of: UInt32(truncatingIfNeeded: out.count - start - headBytes), toByteOffset: 16, as: UInt32.self)
  }
}
