internal import Synchronization
/// A body's bytes, in chunks, once.
///
/// The end (nil) is given only when the body is known to be whole; a cut, corrupt or oversized body throws instead.
public struct ResponseBody: Sendable {
  private let source: any ByteSource

  /// A body from a stream.
  public init(_ source: any ByteSource) { self.source = source }

  /// A body that is already in memory.
  public init(bytes: [UInt8]) { self.source = HeldBody(bytes.isEmpty ? [] : [bytes], then: nil) }

  /// The next chunk, never empty; nil at the verified end. Not to be called from two tasks at once.
  public func next() async throws(ReactorError) -> [UInt8]? {
    try await source.next()
  }

  /// Stops the transfer. Does nothing after the end.
  public func cancel() { source.cancel() }

  /// The same body unless it is empty, else nil; waits for its first chunk. Read the returned body instead of this one.
  public func unlessEmpty() async throws(ReactorError) -> ResponseBody? {
    guard let first = try await next() else { return nil }
    return ResponseBody(HeldBody([first], then: self))
  }

  /// All of it, at most `limit` bytes.
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
  /// The next chunk, never empty; nil at the verified end.
  func next() async throws(ReactorError) -> [UInt8]?
  /// Stops whatever produces the bytes; idempotent. A `next` that is waiting returns or throws soon after.
  func cancel()
}

/// A body whose first chunks are in memory.
final class HeldBody: ByteSource {
  private let held: Mutex<ArraySlice<[UInt8]>>
  /// Nil when the chunks are the whole body.
  private let rest: ResponseBody?

  /// Returns the chunks, then the rest.
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
