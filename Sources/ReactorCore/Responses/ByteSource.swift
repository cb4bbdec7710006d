/// Produces the bytes of a body.
public protocol ByteSource: Sendable {
  /// The next chunk, never empty; nil at the verified end.
  func next() async throws(ReactorError) -> [UInt8]?
  /// Stops whatever produces the bytes; idempotent. A `next` that is waiting returns or throws soon after.
  func cancel()
}
