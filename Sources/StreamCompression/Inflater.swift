internal import CCompression

/// Decompresses deflated data (RFC 1951): the content of a member of a zip archive.
public final class Inflater {
  private let coder: Coder

  /// Creates an inflater for one member.
  public init() throws(CompressionError) {
    guard let coder = Coder(ccompression_decoder(Int32(ccompression_deflate))) else { throw .noMemory }
    self.coder = coder
  }

  /// Decompresses as much as the output has room for.
  ///
  /// - Returns: whether the data ends, and how many bytes were read and written
  public func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) -> (isEnd: Bool, read: Int, written: Int) {
    let step = try coder.step(input, into: output)
    return (step.outcome == .end, step.read, step.written)
  }
}

/// The CRC-32 of the content of a member of a zip archive.
public struct CRC32: Sendable, Hashable {
  /// The sum of the bytes so far.
  public private(set) var sum: UInt32 = 0

  /// Creates the sum of no bytes.
  public init() {}

  /// Adds bytes.
  public mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    sum = ccompression_crc32(sum, start, bytes.count)
  }
}
