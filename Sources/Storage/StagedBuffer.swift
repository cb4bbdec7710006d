internal import ReactorCore
internal import StreamCompression

/// Collects the bytes of a result in memory, and compresses them when they leave the buffer.
struct StagedBuffer {
  /// The bytes that have not been taken, before compression.
  private(set) var bytes: [UInt8] = []
  private let path: OutputPath
  // Nil before the first bytes are taken, and for a file that is not compressed.
  private var compressor: Compressor?

  init(for path: OutputPath) { self.path = path }

  /// Whether the buffer is full: its bytes must be removed with `take` before more are added.
  var isFull: Bool { bytes.count >= StagedFile.bufferSize }

  mutating func append(_ added: [UInt8]) {
    // A large piece is taken as it is, without a copy.
    if bytes.isEmpty { bytes = added } else { bytes += added }
  }

  mutating func removeAll() {
    bytes = []
    compressor = nil
  }

  /// Removes bytes from the buffer and returns them in the form in which they are stored; may return an empty array.
  ///
  /// Bytes are compressed in pieces of one size, and the rest stays here. So equal content is stored as equal bytes,
  /// whatever the pieces in which it arrived.
  mutating func take() throws(ReactorError) -> [UInt8] {
    guard let compressor = try madeCompressor() else {
      defer { bytes = [] }
      return bytes
    }
    var stored: [UInt8] = []
    var start = 0
    while bytes.count - start >= StagedFile.bufferSize {
      let piece = bytes[start..<start + StagedFile.bufferSize]
      stored += try path.compressing { () throws(CompressionError) in try compressor.compress(piece) }
      start += StagedFile.bufferSize
    }
    bytes.removeFirst(start)
    return stored
  }

  /// Removes all remaining bytes and returns them as they are stored, with the end of the compressed stream if any.
  mutating func takeLast() throws(ReactorError) -> [UInt8] {
    let stored = try take()
    guard let compressor else { return stored }
    defer { bytes = [] }
    let rest = bytes[...]
    return stored + (try path.compressing { () throws(CompressionError) in try compressor.finish(rest) })
  }

  private mutating func madeCompressor() throws(ReactorError) -> Compressor? {
    guard compressor == nil, let format = path.compression else { return compressor }
    compressor = try path.compressing { () throws(CompressionError) in try Compressor(format) }
    return compressor
  }
}
