internal import Synchronization

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
