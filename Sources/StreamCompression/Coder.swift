internal import CCompression

/// Owns a compressor or decompressor that is written in C, and frees it.
///
/// It is not `Sendable`: the compiler checks that only one task at a time uses it.
final class Coder {
  /// The size of a piece of output in bytes.
  static let pieceBytes = 64 << 10

  enum Outcome {
    /// The coder needs more input, or more room.
    case more
    /// A member or a frame has ended.
    case end
  }

  private let coder: OpaquePointer

  init?(_ coder: OpaquePointer?) {
    guard let coder else { return nil }
    self.coder = coder
  }

  deinit { ccompression_free(coder) }

  /// Compresses or decompresses as much as the output has room for; returns how many bytes were read and written.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, finishes: Bool = false
  ) throws(CompressionError) -> (outcome: Outcome, read: Int, written: Int) {
    var (read, written) = (input.count, output.count)
    let outcome = ccompression_step(
      coder, input.baseAddress?.assumingMemoryBound(to: UInt8.self), &read,
      output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, finishes ? 1 : 0)
    guard outcome != Int32(ccompression_damaged) else {
      let words = ccompression_message(coder).map { String(cString: $0).lowercased() }
      throw CompressionError(message: words ?? "it is not in this format")
    }
    return (outcome == Int32(ccompression_end) ? .end : .more, read, written)
  }
}
