internal import Synchronization

/// A body whose first chunk was taken already.
final class PeekedBody: ByteSource {
  private enum First {
    case chunk([UInt8])
    case end
    case given
  }

  private let first: Mutex<First>
  private let rest: ResponseBody

  /// Gives the chunk again, or the end where it is nil, before the rest.
  init(_ chunk: [UInt8]?, then rest: ResponseBody) {
    first = Mutex(chunk.map { .chunk($0) } ?? .end)
    self.rest = rest
  }

  func next() async throws(ReactorError) -> [UInt8]? {
    let first = first.withLock { first in
      defer { if case .chunk = first { first = .given } }
      return first
    }
    switch first {
    case .chunk(let chunk): return chunk
    case .end: return nil
    case .given: return try await rest.next()
    }
  }

  func cancel() { rest.cancel() }
}
