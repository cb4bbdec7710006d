internal import JSONSyntax

/// A record for a merge: fingerprint, rank, length of the body, body.
///
/// The frame of a deleted record has no body. Frames never leave the process.
struct RecordFrame {
  private static let headBytes = 24
  /// Marks a rank that is a number.
  private static let number = UInt32.max

  let print: RecordFingerprint
  let rank: RecordRank
  let body: UnsafeRawBufferPointer
  /// The offset of the next frame.
  let end: Int

  /// Reads a frame; nil at the end of the part.
  init?(_ part: UnsafeRawBufferPointer, at start: Int) {
    guard part.count - start >= Self.headBytes else { return nil }
    func load<T: BitwiseCopyable>(_ offset: Int, as type: T.Type) -> T {
      part.loadUnaligned(fromByteOffset: start + offset, as: type)
    }
    print = RecordFingerprint(first: load(0, as: Int.self), second: load(8, as: Int.self))
    let (mark, length) = (load(16, as: UInt32.self), Int(load(20, as: UInt32.self)))
    let rankLength = mark == Self.number ? 8 : Int(mark == 0 ? 0 : mark - 1)
    let first = start + Self.headBytes + rankLength
    guard part.count - first >= length else { return nil }
    switch mark {
    case 0: rank = .absent
    case Self.number: rank = .number(load(Self.headBytes, as: Int64.self))
    default: rank = .text(Array(part[start + Self.headBytes..<first]))
    }
    body = UnsafeRawBufferPointer(rebasing: part[first..<first + length])
    end = first + length
  }

  /// Writes a frame around the body that `write` appends.
  static func append(_ print: RecordFingerprint, _ rank: RecordRank, to out: ByteBuffer, _ write: () -> Void) {
    let start = out.count
    for _ in 0..<headBytes { out.append(0) }
    var mark: UInt32 = 0
    switch rank {
    case .absent: break
    case .number(let value):
      mark = number
      withUnsafeBytes(of: value) { for byte in $0 { out.append(byte) } }
    case .text(let bytes):
      // The reader limits a record to 32 MiB, so all lengths fit in 32 bits.
      mark = UInt32(truncatingIfNeeded: bytes.count + 1)
      out.append(bytes)
    }
    let first = out.count
    write()
    let head = UnsafeMutableRawPointer(out.base + start)
    head.storeBytes(of: print.first, as: Int.self)
    head.storeBytes(of: print.second, toByteOffset: 8, as: Int.self)
    head.storeBytes(of: mark, toByteOffset: 16, as: UInt32.self)
    head.storeBytes(of: UInt32(truncatingIfNeeded: out.count - first), toByteOffset: 20, as: UInt32.self)
  }
}
