internal import Synchronization

/// A body whose beginning was read already.
final class HeldBody: ByteSource {
  private let held: Mutex<ArraySlice<[UInt8]>>
  /// Nil when the beginning is all of it.
  private let rest: ResponseBody?

  /// Gives the chunks again before the rest; without a rest they are the whole body.
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
