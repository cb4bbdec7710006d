internal import Synchronization

/// A body that its `Network` can cancel and whose progress is reported.
///
/// It reports nothing before `beginReporting`. The part of a rejected response that the response modifier reads is
/// therefore not reported as progress. Releasing the body ends the transfer.
final class TrackedBody: ByteSource {
  private struct Progress {
    var bytes = 0
    var isOver = false
    var isWhole = false
    var isQuiet = true
  }

  private let body: ResponseBody
  private let inFlight: ConnectionsInFlight
  private let generation: Int
  private let number: Int
  private let start: Duration
  private let instruments: FlowInstruments
  private let progress = Mutex(Progress())

  /// Creates the tracked body; stops the transfer and returns nil when all open work was cancelled in the meantime.
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
        if end() { report(.finished(.request, instruments.stopwatch.reading() - start)) }
        return nil
      }
      let bytes = progress.withLock { progress in
        progress.bytes += chunk.count
        return progress.bytes
      }
      report(.received(bytes: bytes))
      return chunk
    } catch {
      let error = inFlight.generation == generation ? error.unlessCancelled : .cancelled
      if end() {
        body.cancel()
        report(.failed(.request, error))
      }
      throw error
    }
  }

  func cancel() {
    guard end() else { return }
    body.cancel()
    report(.failed(.request, .cancelled))
  }

  /// Ends the transfer without a report; does nothing after the end.
  func abandon() {
    if end() { body.cancel() }
  }

  /// Starts reporting. Also reports the end if the body has already ended.
  func beginReporting() {
    let isOver = progress.withLock { progress in
      progress.isQuiet = false
      return progress.isOver
    }
    if isOver { report(.finished(.request, instruments.stopwatch.reading() - start)) }
  }

  private func report(_ event: FlowEvent) {
    if !progress.withLock({ $0.isQuiet }) { instruments.observer(event) }
  }

  /// Throws when the body was cancelled: a cancelled body must not look complete, whatever the transfer returns.
  private func checkOpen() throws(ReactorError) {
    let (isOver, isWhole) = progress.withLock { ($0.isOver, $0.isWhole) }
    if isWhole { return }
    if isOver || inFlight.generation != generation { throw .cancelled }
  }

  /// Marks the transfer as ended; returns false when it had already ended.
  private func end() -> Bool {
    let isFirst = progress.withLock { progress in
      defer { progress.isOver = true }
      return !progress.isOver
    }
    if isFirst { inFlight.forget(number) }
    return isFirst
  }
}
