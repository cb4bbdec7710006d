internal import CSimdJSON

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The tokens of one window of JSON text: where each starts, and the bytes.
///
/// Built by one call to simdjson's first stage per window. Everything else (grammar, types, limits, exact numbers) is the
/// walk over it. Pointers stay valid until the buffer changes or the indexer indexes again; whoever holds tokens owns both.
package struct JSONTokens {
  /// Deepest nesting of arrays and objects that is read; bounds every recursion over a text.
  package static let depthLimit = 256

  /// The window's first byte; at least `ByteBuffer.padding` zero bytes follow the last.
  package let base: UnsafePointer<UInt8>
  /// Bytes in the window.
  package let length: Int
  /// Where each token starts, rising; the entry at `count` equals `length`.
  package let starts: UnsafePointer<UInt32>
  /// The number of tokens.
  package let count: Int

  /// The first byte of a token, 0 at the end of the window.
  @inline(__always)
  package func first(_ token: Int) -> UInt8 { base[Int(starts[token])] }

  /// Where a token starts; the window's length at its end.
  @inline(__always)
  package func start(_ token: Int) -> Int { Int(starts[token]) }
}

/// Finds the tokens of windows of text; owns simdjson's index, which is reused from window to window.
///
/// One task owns an indexer at a time: it is not Sendable on purpose.
package final class JSONIndexer {
  private let indexer: OpaquePointer?

  package init() { indexer = csj_indexer_create() }

  deinit { if let indexer { csj_indexer_destroy(indexer) } }

  /// The tokens of a buffer, which may end anywhere but inside a UTF-8 sequence.
  package func index(_ buffer: ByteBuffer) throws(JSONError) -> JSONTokens {
    buffer.seal()
    var starts: UnsafePointer<UInt32>?
    var count = 0
    let status = indexer.map { csj_index($0, buffer.base, buffer.count, &starts, &count) } ?? CSJ_NO_MEMORY
    guard status == CSJ_OK, let starts else { throw Self.offence(status, in: buffer.bytes) }
    return JSONTokens(base: UnsafePointer(buffer.base), length: buffer.count, starts: starts, count: count)
  }

  /// simdjson says that something is wrong, not where; the place is found only then.
  @inline(never)
  private static func offence(_ status: csj_status, in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
    switch status {
    case CSJ_INVALID_UTF8:
      return JSONError("not valid UTF-8", at: UTF8Text.firstInvalidOffset(in: bytes) ?? 0)
    case CSJ_CONTROL_CHARACTER:
      return JSONError("a control character inside a string", at: firstControlCharacter(in: bytes))
    case CSJ_NO_MEMORY:
      return JSONError("the text is too large to be read at once", at: 0)
    default:
      return JSONError("not JSON", at: 0)
    }
  }

  private static func firstControlCharacter(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var inString = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if inString {
        if byte < 0x20 { return index }
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { inString = false }
      } else if byte == UInt8(ascii: "\"") {
        inString = true
      }
      index += 1
    }
    return 0
  }
}
