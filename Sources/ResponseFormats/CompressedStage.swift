internal import JSONSyntax
internal import ReactorCore
internal import StreamCompression

/// The bound on the bytes that a packed body unpacks to.
struct UnpackedBound {
  private let maxBytes: Int
  private var count = 0

  init(_ maxBytes: Int) { self.maxBytes = maxBytes }

  /// Adds unpacked bytes.
  mutating func add(_ bytes: Int) throws(ReactorError) {
    count += bytes
    guard count <= maxBytes else {
      var error = ReactorError.server("the response unpacks to more than \(maxBytes) bytes (max_bytes)")
      error.help = "set 'http: { max_bytes: … }' if the response is as large as that"
      throw error
    }
  }
}

/// Unpacks a gzip or Zstandard file.
final class CompressedStage: BodyStage {
  private let format: CompressionFormat
  private let decompressor: Decompressor
  private var bound: UnpackedBound
  private var hasInput = false
  /// Whether the decompressor has the input, and may have more output of it.
  private var isFed = false

  init(_ format: CompressionFormat, _ bound: UnpackedBound) throws(ReactorError) {
    self.format = format
    self.bound = bound
    do throws(CompressionError) {
      decompressor = try Decompressor(format)
    } catch {
      throw Self.failure(error, format)
    }
  }

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    if !isFed { decompressor.feed(Array(input)) }
    isFed = try takePiece(out)
    hasInput = true
    return isFed ? 0 : input.count
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) { try finish(into: out) }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    guard hasInput else { throw .parser("the response is empty where a \(Self.name(format)) file should be") }
    do throws(CompressionError) {
      try decompressor.finish()
    } catch {
      throw Self.failure(error, format)
    }
  }

  /// Appends the next piece; returns whether there was one.
  private func takePiece(_ out: ByteBuffer) throws(ReactorError) -> Bool {
    do throws(CompressionError) {
      guard let piece = try decompressor.next() else { return false }
      out.append(piece)
    } catch {
      throw Self.failure(error, format)
    }
    try bound.add(out.count)
    return true
  }

  private static func name(_ format: CompressionFormat) -> String { format == .gzip ? "gzip" : "Zstandard" }

  private static func failure(_ error: CompressionError, _ format: CompressionFormat) -> ReactorError {
    var failure = ReactorError.parser("the response cannot be unpacked as a \(name(format)) file: \(error.message)")
    failure.help = error.help
    failure.key = "decode"
    return failure
  }
}
