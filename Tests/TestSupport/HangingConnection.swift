public import ReactorCore

internal import Synchronization

/// A connection that never finishes by itself: it hangs before the head, or in the body after a first chunk.
public final class HangingConnection: Connection {
  private let headFirst: [UInt8]?
  private let forever = Latch()
  private let bodyStops = Mutex(0)

  /// A host that no test asks.
  public let baseURL = "http://hanging.test"
  /// Opens when a request hangs.
  public let isHanging = Latch()
  /// How many bodies were stopped.
  public var stoppedBodies: Int { bodyStops.withLock { $0 } }

  /// Hangs before the head.
  public init() { headFirst = nil }

  /// Gives a head and a first chunk, then hangs.
  public init(afterChunk chunk: String) { headFirst = Array(chunk.utf8) }

  /// Hangs, or gives a head whose body will.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    guard let headFirst else {
      isHanging.open()
      await forever.wait()
      throw .cancelled
    }
    return Response(
      status: 200,
      body: ResponseBody(
        Body(headFirst, isHanging: isHanging) { [self] in bodyStops.withLock { $0 += 1 } }))
  }

  private final class Body: ByteSource {
    private let chunk: Mutex<[UInt8]?>
    private let isHanging: Latch
    private let stopped = Latch()
    private let isStopped = Mutex(false)
    private let onStop: @Sendable () -> Void

    init(_ chunk: [UInt8], isHanging: Latch, onStop: @escaping @Sendable () -> Void) {
      self.chunk = Mutex(chunk)
      self.isHanging = isHanging
      self.onStop = onStop
    }

    func next() async throws(ReactorError) -> [UInt8]? {
      let first = chunk.withLock { chunk in
        defer { chunk = nil }
        return chunk
      }
      if let first { return first }
      isHanging.open()
      await stopped.wait()
      throw .server("the transfer was stopped")
    }

    func cancel() {
      let isFirst = isStopped.withLock { isStopped in
        defer { isStopped = true }
        return !isStopped
      }
      if isFirst { onStop() }
      stopped.open()
    }
  }
}
