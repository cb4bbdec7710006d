internal import CSimdJSON

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The tokens of one window of JSON text: the bytes and the offset of each token.
///
/// One call to simdjson's first stage creates the tokens of a window. The code that goes from token to token does
/// everything else: grammar, types, limits and exact numbers.
///
/// The pointers are valid until the buffer changes or the indexer indexes another window. The holder of the tokens owns
/// the buffer and the indexer, and uses them from one task at a time. The type is `@unchecked Sendable`, because it
/// never writes to the memory.
public struct JSONTokens: @unchecked Sendable {
  /// The maximum nesting of arrays and objects; bounds every recursion over a text.
  public static let depthLimit = 256

  /// The window's first byte; at least `ByteBuffer.padding` zero bytes follow the last byte.
  public let base: UnsafePointer<UInt8>
  /// The number of bytes in the window.
  public let length: Int
  /// The number of bytes whose tokens were found; the bytes after them belong to the next window.
  public let end: Int
  /// The offset of each token, in ascending order; the entry at `count` equals `length`.
  public let starts: UnsafePointer<UInt32>
  /// The number of tokens.
  public let count: Int

  @usableFromInline
  init(base: UnsafePointer<UInt8>, length: Int, end: Int, starts: UnsafePointer<UInt32>, count: Int) {
    self.base = base
    self.length = length
    self.end = end
    self.starts = starts
    self.count = count
  }

  /// The tokens of an empty window, for a reader that has not received a window yet; their memory is never freed.
  public static let none: JSONTokens = {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: ByteBuffer.padding)
    bytes.initialize(repeating: 0, count: ByteBuffer.padding)
    let starts = UnsafeMutablePointer<UInt32>.allocate(capacity: 2)
    starts.initialize(repeating: 0, count: 2)
    return JSONTokens(base: bytes, length: 0, end: 0, starts: starts, count: 0)
  }()

  /// The first byte of a token, 0 at the end of the window.
  @inlinable @inline(__always)
  public func first(_ token: Int) -> UInt8 { base[Int(starts[token])] }

  /// The offset of a token; the window's length for the token at `count`.
  @inlinable @inline(__always)
  public func start(_ token: Int) -> Int { Int(starts[token]) }

  /// The kind of the value that starts at a token, as in `JSONValue.kindName`; nil when no value starts there.
  package func kind(_ token: Int) -> String? {
    switch first(token) {
    case UInt8(ascii: "{"): "object"
    case UInt8(ascii: "["): "array"
    case UInt8(ascii: "\""): "string"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "boolean"
    case UInt8(ascii: "n"): "null"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "number"
    default: nil
    }
  }
}

/// Finds the tokens of windows of text; owns simdjson's index, which is reused for each window.
///
/// One task owns an indexer at a time, so the type is not Sendable.
public final class JSONIndexer {
  /// The version of simdjson and the instruction set that it uses, for reports.
  public static var libraryVersion: String { String(cString: csj_version()) }

  private let indexer: OpaquePointer?

  /// Creates an indexer; memory for a window is allocated only when the window is indexed.
  public init() { indexer = csj_indexer_create() }

  deinit { if let indexer { csj_indexer_destroy(indexer) } }

  /// Finds the tokens of a buffer. A buffer that is not final may end anywhere except inside a UTF-8 sequence.
  public func index(_ buffer: ByteBuffer, isFinal: Bool = true) throws(JSONError) -> JSONTokens {
    buffer.seal()
    guard let indexer else { throw Self.error(CSJ_NO_MEMORY, in: buffer.bytes) }
    var starts: UnsafePointer<UInt32>?
    var count = 0
    var end = 0
    let status = csj_index(indexer, buffer.base, buffer.count, isFinal ? 1 : 0, &starts, &count, &end)
    guard status == CSJ_OK, let starts else { throw Self.error(status, in: buffer.bytes) }
    return JSONTokens(base: UnsafePointer(buffer.base), length: buffer.count, end: end, starts: starts, count: count)
  }

  /// The error for a status of simdjson; the status has no offset, so this function determines the offset.
  private static func error(_ status: csj_status, in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
    switch status {
    case CSJ_INVALID_UTF8:
      return JSONError("not valid UTF-8", at: UTF8Text.firstInvalidOffset(in: bytes) ?? 0)
    case CSJ_CONTROL_CHARACTER:
      return JSONError("a control character inside a string", at: offset(in: bytes) { $0 < 0x20 })
    case CSJ_OPEN_STRING:
      return JSONError("a string that does not end", at: offset(in: bytes) { _ in false }, endsEarly: true)
    case CSJ_NO_MEMORY:
      return JSONError("the text is too large to be parsed in one piece", at: 0)
    default:
      return JSONError("not JSON", at: 0)
    }
  }

  /// The offset of the first matching byte inside a string; otherwise the offset of the quote of an unclosed string.
  private static func offset(in bytes: UnsafeBufferPointer<UInt8>, where matches: (UInt8) -> Bool) -> Int {
    var open: Int?
    var index = 0
    while index < bytes.count {
      if open != nil, matches(bytes[index]) { return index }
      if bytes[index] == UInt8(ascii: "\"") { open = open == nil ? index : nil }
      index += open != nil && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return open ?? bytes.count
  }
}
