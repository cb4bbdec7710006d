internal import CCompression

/// Compresses a stream of bytes into one gzip member or one Zstandard frame, with constant memory.
///
/// The output contains no time and no name. Equal input in equal pieces gives equal output.
public final class Compressor {
  private let coder: Coder

  /// Creates a compressor.
  ///
  /// - Throws: when the library of the format is not installed
  public init(_ format: CompressionFormat) throws(CompressionError) {
    try format.load()
    guard let coder = Coder(ccompression_encoder(format.number)) else { throw .noMemory }
    self.coder = coder
  }

  /// Compresses the next bytes; returns the output that is ready, which may be empty.
  public func compress(_ bytes: ArraySlice<UInt8>) throws(CompressionError) -> [UInt8] {
    try run(bytes, finishes: false)
  }

  /// Compresses the last bytes and ends the stream.
  public func finish(_ bytes: ArraySlice<UInt8>) throws(CompressionError) -> [UInt8] { try run(bytes, finishes: true) }

  private func run(_ bytes: ArraySlice<UInt8>, finishes: Bool) throws(CompressionError) -> [UInt8] {
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Coder.pieceBytes)
    var start = bytes.startIndex
    while true {
      // The standard library passes no typed errors through these closures, so the error is passed as a `Result`.
      let step = bytes[start...].withUnsafeBytes { input in
        piece.withUnsafeMutableBytes { room in
          Result { () throws(CompressionError) in try coder.step(input, into: room, finishes: finishes) }
        }
      }
      let (outcome, read, written) = try step.get()
      start += read
      output += piece[..<written]
      if finishes ? outcome == .end : start == bytes.endIndex && written < piece.count { return output }
    }
  }
}
