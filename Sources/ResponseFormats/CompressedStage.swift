internal import JSONSyntax
internal import ReactorCore
internal import StreamCompression

/// The maximum number of bytes to which a packed body may unpack. All stages that unpack one body share it.
final class UnpackedBound {
  private let maxBytes: Int
  private var count = 0

  init(_ maxBytes: Int) { self.maxBytes = maxBytes }

  /// Adds unpacked bytes.
  func add(_ bytes: Int) throws(ReactorError) {
    count += bytes
    guard count <= maxBytes else {
      var error = ReactorError.server("the response unpacks to more than \(maxBytes) bytes (max_bytes)")
      error.help = "set 'http: { max_bytes: … }' if the response may be that large"
      throw error
    }
  }
}

/// Unpacks one or several gzip or Zstandard files. Each of them is a document.
final class CompressedStage: BodyStage {
  private let format: CompressionFormat
  private let bound: UnpackedBound
  /// The name of the unpacked data, for messages.
  private var subject = "the response"
  private var decompressor: Decompressor
  /// Whether the current document has at least one byte.
  private var hasInput = false
  private var hasEnded = false
  /// Whether the decompressor has received the input and may still have output for it.
  private var isFed = false

  init(_ format: CompressionFormat, _ bound: UnpackedBound) throws(ReactorError) {
    self.format = format
    self.bound = bound
    decompressor = try Self.decompressor(format)
  }

  func beginMember(_ name: String) { subject = "the member \(ZipStage.quoted(name)) of the zip archive" }

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    if !isFed { decompressor.feed(Array(input)) }
    isFed = try takePiece(out)
    hasInput = true
    return isFed ? 0 : input.count
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    guard hasInput else { throw .parser("\(subject) is empty where a \(Self.name(format)) file should be") }
    do throws(CompressionError) {
      try decompressor.finish()
    } catch {
      throw Self.failure(error, format, of: subject)
    }
    (hasInput, hasEnded) = (false, true)
    decompressor = try Self.decompressor(format)
  }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    if hasInput || !hasEnded { try endDocument(into: out) }
  }

  /// Appends the next piece; returns whether there was one.
  private func takePiece(_ out: ByteBuffer) throws(ReactorError) -> Bool {
    let written: Int
    do throws(CompressionError) {
      guard let piece = try decompressor.next() else { return false }
      out.append(piece)
      written = piece.count
    } catch {
      throw Self.failure(error, format, of: subject)
    }
    try bound.add(written)
    return true
  }

  private static func name(_ format: CompressionFormat) -> String { format == .gzip ? "gzip" : "Zstandard" }

  private static func decompressor(_ format: CompressionFormat) throws(ReactorError) -> Decompressor {
    do throws(CompressionError) {
      return try Decompressor(format)
    } catch {
      throw failure(error, format, of: "the response")
    }
  }

  private static func failure(
    _ error: CompressionError, _ format: CompressionFormat, of subject: String
  ) -> ReactorError {
    var failure = ReactorError.parser("\(subject) cannot be unpacked as a \(name(format)) file: \(error.message)")
    failure.help = error.help
    failure.key = "decode"
    return failure
  }
}
