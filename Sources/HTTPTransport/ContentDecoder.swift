internal import CCurl

/// Decodes one body, and knows whether it has come to its proper end.
///
/// Belongs to the reader of the body: decoding costs the reader's time, not the driving thread's, and never produces
/// more than one chunk ahead of the reader, so that a bomb is stopped by the limit and not by memory.
final class ContentDecoder {
  private let decoder: OpaquePointer
  private var input: [UInt8] = []
  private var position = 0
  private var mayHoldMore = false

  /// Nil when the coding is not available, or memory is short.
  init?(_ coding: ContentCoding) {
    guard let decoder = ccurl_decoder_create(coding.code) else { return nil }
    self.decoder = decoder
  }

  deinit { ccurl_decoder_destroy(decoder) }

  /// Takes the next bytes as sent; the previous ones must have been used up.
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
        // No progress on both sides would be asked for again without end.
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

  /// Whether all that was fed is used up.
  var needsInput: Bool { position == input.count && !mayHoldMore }

  /// Whether the data ended where the coding says that it ends, checksum included.
  var isComplete: Bool { ccurl_decoder_is_complete(decoder) == 1 }
}
