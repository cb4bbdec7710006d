internal import CCompression

/// Decompresses a stream of gzip members or Zstandard frames, with constant memory.
///
///     let decompressor = try Decompressor(.gzip)
///     while true {
///       if let piece = try decompressor.next() { use(piece) }
///       else if let more = nextBytes() { decompressor.feed(more) }
///       else { break }
///     }
///     try decompressor.finish()
///
/// The output comes in pieces of at most 256 KiB, whatever the input expands to. A stream that was cut, that has other
/// bytes after its end, or whose checksum differs is an error.
public final class Decompressor {
  private static let pieceBytes = 256 << 10

  private let format: CompressionFormat
  private let coder: Coder
  private var input: ArraySlice<UInt8> = []
  /// Whether the bytes so far end with a complete member or frame.
  private var isAtEnd = false
  /// Whether the coder may hold output for which there was no room.
  private var holdsOutput = false

  /// Creates a decompressor.
  ///
  /// - Throws: when the library of the format is not installed
  public init(_ format: CompressionFormat) throws(CompressionError) {
    try format.load()
    guard let coder = Coder(ccompression_decoder(format.number)) else { throw .noMemory }
    self.format = format
    self.coder = coder
  }

  /// Sets the next input. Call it only after `next` has returned nil, which means that all earlier input was used.
  public func feed(_ bytes: [UInt8]) { input = bytes[...] }

  /// Returns the next piece, at most 256 KiB; nil when more input is needed.
  public func next() throws(CompressionError) -> [UInt8]? {
    while !input.isEmpty || holdsOutput {
      var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
      let step = input.withUnsafeBytes { input in
        piece.withUnsafeMutableBytes { room in
          Result { () throws(CompressionError) in try coder.step(input, into: room) }
        }
      }
      let (outcome, read, written) = try step.get()
      input = input.dropFirst(read)
      isAtEnd = outcome == .end
      holdsOutput = !isAtEnd && written == piece.count
      if written > 0 {
        piece.removeLast(piece.count - written)
        return piece
      }
      guard read > 0 || isAtEnd || input.isEmpty else {
        throw CompressionError(message: "it is not in this format")  // without progress the loop would not end
      }
    }
    return nil
  }

  /// Checks that the stream is complete. Call it after the last input, when `next` has returned nil.
  public func finish() throws(CompressionError) {
    guard isAtEnd else {
      throw CompressionError(message: "the \(format == .gzip ? "gzip" : "Zstandard") data ends too early")
    }
  }
}
