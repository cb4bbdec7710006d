internal import Synchronization
/// The bytes of a response body, in chunks; they can be read once.
///
/// `next` returns nil only when the body is known to be complete. A truncated, corrupt or oversized body throws
/// instead.
public struct ResponseBody: Sendable {
  private let source: any ByteSource

  /// Creates a body from a stream.
  public init(_ source: any ByteSource) { self.source = source }

  /// Creates a body that is already in memory.
  public init(bytes: [UInt8]) { self.source = HeldBody(bytes.isEmpty ? [] : [bytes], then: nil) }

  /// Creates a body of which the first bytes are in memory.
  package init(_ head: [UInt8], then rest: ResponseBody) { self.source = HeldBody([head], then: rest) }

  /// Returns the next chunk, which is never empty; nil at the end, after the body was verified to be complete.
  ///
  /// Two tasks must not call it at the same time.
  public func next() async throws(ReactorError) -> [UInt8]? {
    try await source.next()
  }

  /// Stops the transfer. Does nothing after the end of the body.
  public func cancel() { source.cancel() }

  /// Waits for the first chunk and returns an equal body; nil when the body is empty.
  ///
  /// Read the returned body instead of this one.
  public func unlessEmpty() async throws(ReactorError) -> ResponseBody? {
    guard let first = try await next() else { return nil }
    return ResponseBody(HeldBody([first], then: self))
  }

  /// Reads the whole body, at most `limit` bytes.
  @concurrent public func collect(upTo limit: Int) async throws(ReactorError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try await next() {
      guard chunk.count <= limit - bytes.count else {
        cancel()
        throw ReactorError.server("the response is larger than \(limit) bytes")
      }
      if bytes.isEmpty { bytes = chunk } else { bytes.append(contentsOf: chunk) }
    }
    return bytes
  }
}

/// Produces the bytes of a body.
public protocol ByteSource: Sendable {
  /// Returns the next chunk, which is never empty; nil at the end, after the body was verified to be complete.
  func next() async throws(ReactorError) -> [UInt8]?
  /// Stops the source of the bytes; idempotent. A `next` call that is waiting returns or throws soon after.
  func cancel()
}

/// A body whose first chunks are in memory.
final class HeldBody: ByteSource {
  private let held: Mutex<ArraySlice<[UInt8]>>
  /// The body after these chunks; nil when the chunks are the whole body.
  private let rest: ResponseBody?

  /// Creates a body of the chunks, followed by the rest.
  init(_ chunks: [[UInt8]], then rest: ResponseBody?) {
    held = Mutex(chunks[...])
    self.rest = rest
  }

  func next() async throws(ReactorError) -> [UInt8]? {
    if let chunk = held.withLock({ $0.popFirst() }) { return chunk }
    return try await rest?.next()
  }

  func cancel() { rest?.cancel() }
}
