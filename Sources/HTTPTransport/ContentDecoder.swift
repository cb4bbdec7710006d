internal import CCurl

/// Decodes one body and detects whether the body is complete.
///
/// A decoder belongs to the reader of the body. Decoding therefore costs the reader's time and not the driving
/// thread's. The decoder is never more than one chunk ahead of the reader. The size limit therefore stops a
/// decompression bomb before memory runs out.
final class ContentDecoder {
  private let decoder: OpaquePointer
  private var input: [UInt8] = []
  private var position = 0
  private var mayHoldMore = false

  /// Creates a decoder; nil when the coding is not available or memory is short.
  init?(_ coding: ContentCoding) {
    guard let decoder = ccurl_decoder_create(coding.code) else { return nil }
    self.decoder = decoder
  }

  deinit { ccurl_decoder_destroy(decoder) }

  /// Takes the next encoded bytes; all previous bytes must have been consumed.
  func feed(_ bytes: [UInt8]) {
    input = bytes
    position = 0
  }

  /// The next decoded bytes, at most `count`; empty when more input is needed, nil when the data is corrupt.
  func next(atMost count: Int) -> [UInt8]? {
    let pending = input.count - position
    guard pending > 0 || mayHoldMore else { return [] }
    let room = min(count, max(16 * 1024, pending > count / 8 ? count : pending * 8))
    var isCorrupt = false
    let output = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
      let written = input.withUnsafeBufferPointer { source -> Int64 in
        var next = source.baseAddress.map { $0 + position }
        var left = pending
        let written = ccurl_decoder_run(decoder, &next, &left, buffer.baseAddress, buffer.count)
        // Without progress on either side, the caller would repeat this call for ever.
        if written == 0, left == pending, pending > 0 { return -1 }
        position = source.count - left
        return written
      }
      isCorrupt = written < 0
      initialized = max(0, Int(written))
    }
    if isCorrupt { return nil }
    mayHoldMore = output.count == room
    return output
  }

  /// Whether all input has been consumed.
  var needsInput: Bool { position == input.count && !mayHoldMore }

  /// Whether the data ended where the coding requires, with a correct checksum.
  var isComplete: Bool { ccurl_decoder_is_complete(decoder) == 1 }
}
