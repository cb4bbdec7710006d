internal import Synchronization

/// A body whose transfer its `Network` can end, and whose progress is told to the observer.
///
/// It is silent until `speak`, so that what a response modifier reads of a refused response is not told as progress.
/// Dropping it ends the transfer.
final class TrackedBody: ByteSource {
  private struct Progress {
    var bytes = 0
    var isOver = false
    var isWhole = false
    var isSilent = true
  }

  private let body: ResponseBody
  private let inFlight: ConnectionsInFlight
  private let generation: Int
  private let number: Int
  private let start: Duration
  private let instruments: FlowInstruments
  private let progress = Mutex(Progress())

  /// Nil when everything in flight was ended meanwhile; the transfer is then stopped.
  init?(
    _ body: ResponseBody, in inFlight: ConnectionsInFlight, generation: Int, since start: Duration,
    instruments: FlowInstruments
  ) {
    guard let number = inFlight.register(generation, cancel: { body.cancel() }) else {
      body.cancel()
      return nil
    }
    self.body = body
    self.inFlight = inFlight
    self.generation = generation
    self.number = number
    self.start = start
    self.instruments = instruments
  }

  deinit { abandon() }

  func next() async throws(ReactorError) -> [UInt8]? {
    do throws(ReactorError) {
      try checkOpen()
      let chunk = try await body.next()
      try checkOpen()
      guard let chunk else {
        progress.withLock { $0.isWhole = true }
        if end() { tell(.finished(.request, instruments.stopwatch.reading() - start)) }
        return nil
      }
      let bytes = progress.withLock { progress in
        progress.bytes += chunk.count
        return progress.bytes
      }
      tell(.received(bytes: bytes))
      return chunk
    } catch {
      let error = inFlight.generation == generation ? error.unlessCancelled : .cancelled
      if end() {
        body.cancel()
        tell(.failed(.request, error))
      }
      throw error
    }
  }

  func cancel() {
    guard end() else { return }
    body.cancel()
    tell(.failed(.request, .cancelled))
  }

  /// Ends the transfer without telling the observer; harmless after the end.
  func abandon() {
    if end() { body.cancel() }
  }

  /// Tells the observer from now on; also of the end, when it was reached already.
  func speak() {
    let isOver = progress.withLock { progress in
      progress.isSilent = false
      return progress.isOver
    }
    if isOver { tell(.finished(.request, instruments.stopwatch.reading() - start)) }
  }

  private func tell(_ event: FlowEvent) {
    if !progress.withLock({ $0.isSilent }) { instruments.observer(event) }
  }

  /// What was given up must not look like a whole body, whatever the transfer behind it says.
  private func checkOpen() throws(ReactorError) {
    let (isOver, isWhole) = progress.withLock { ($0.isOver, $0.isWhole) }
    if isWhole { return }
    if isOver || inFlight.generation != generation { throw .cancelled }
  }

  /// Marks the transfer as over; false when it already was.
  private func end() -> Bool {
    let isFirst = progress.withLock { progress in
      defer { progress.isOver = true }
      return !progress.isOver
    }
    if isFirst { inFlight.forget(number) }
    return isFirst
  }
}
