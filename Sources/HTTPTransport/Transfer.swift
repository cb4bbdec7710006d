internal import CCurl
internal import ReactorCore
internal import Synchronization

/// One request on its way: written by the driving thread, read by one task.
///
/// `@unchecked Sendable`: `handle`, `reader`, `sentCount`, `fault` and `isDirty` belong to the driving thread alone,
/// from the start command to the end of the transfer. `head` is written once, by that thread, before the mutex hands
/// its copy to the reader, who reads it only after that. The mutex guards everything else that both sides touch.
final class Transfer: @unchecked Sendable {
  /// Bytes after which a chunk goes to the reader.
  static let chunkSize = 256 * 1024
  /// Chunks that may wait for the reader; then the transfer pauses, and the server feels it through TCP.
  static let maxChunks = 4
  /// libcurl's largest piece: room for one more beyond a chunk spares a reallocation.
  static let pieceSize = 16 * 1024

  let request: TransferRequest
  let mailbox: Mailbox
  /// Its position in a chain of requests.
  private let position: TransfersAhead.Position?
  private let state = Mutex(State())

  /// Driving thread only: the easy handle at work.
  var handle: Handle?
  /// Driving thread only: the head so far.
  var reader: HeadReader
  /// Driving thread only: body bytes as sent, before decoding.
  private var sentCount: Int64 = 0
  /// Written once by the driving thread: the declared length and coding.
  private var head: ResponseHead?
  /// Driving thread only: why we stopped it ourselves.
  private(set) var fault: ReactorError?
  /// Driving thread only: listed for the end of the round.
  var isDirty = false

  init(_ request: TransferRequest, mailbox: Mailbox, _ position: TransfersAhead.Position? = nil) {
    self.request = request
    self.mailbox = mailbox
    self.position = position
    reader = HeadReader(
      maxBytes: request.settings.options.maxHeaderBytes, maxFields: request.settings.options.maxHeaderFields,
      isHead: request.method == "HEAD", asksForRange: request.asksForRange)
  }

  /// A server error about this transfer.
  func error(_ reason: String, kind: ReactorError.Kind = .server) -> ReactorError {
    ReactorError(kind, "\(request.label): \(reason)", status: head?.status)
  }

  /// The error of a connection that broke: another one may not.
  func broken(_ reason: String) -> ReactorError {
    var error = error(reason)
    error.isBrokenConnection = true
    return error
  }

  // MARK: - Driving thread

  /// Takes a header line; false stops the transfer.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    do throws(ResponseHeadError) {
      if case .complete(let head) = try reader.read(line) { return receive(head) }
      return true
    } catch {
      fault = self.error("the response \(error.reason)")
      return false
    }
  }

  private func receive(_ head: ResponseHead) -> Bool {
    self.head = head
    if head.coding == .identity, let length = head.length, length > Int64(request.settings.options.maxBodyBytes) {
      fault = tooLarge()
      return false
    }
    if head.status == 407, request.proxy != nil {
      fault = error("the proxy asks for credentials (407)")
      return false
    }
    if head.isHTTP1, head.length == 0, request.method == "HEAD" || head.status == 204 || head.status == 304 {
      // Bytes behind a head that ends the response would be taken as the beginning of the next one.
      handle?.forbidReuse()
    }
    if head.endsWithConnection, request.isSecure { handle?.watchTLSEnd() }
    handle?.watchSpeed()
    state.withLock { $0.head = head }
    return true
  }

  /// Takes body bytes as sent; returns what libcurl expects of its write callback.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    let maxBytes = request.settings.options.maxBodyBytes
    let isPlain = head?.coding == .identity
    let limit = Int64(isPlain ? maxBytes : maxBytes + maxBytes / 8 + 65_536)
    guard sentCount + Int64(bytes.count) <= limit else {
      fault = tooLarge()
      return 0
    }
    let expected = head?.length.map { Int(clamping: $0 - sentCount) }
    let (result, waiter) = state.withLock { state in
      state.append(bytes, expected: expected)
    }
    waiter?.resume()
    if result == bytes.count { sentCount += Int64(bytes.count) }
    return result
  }

  private func tooLarge() -> ReactorError {
    error("the response is larger than \(request.settings.options.maxBodyBytes) bytes (max_bytes)")
  }

  /// Whether only the end of the connection ends the body.
  var endsWithConnection: Bool { head?.endsWithConnection ?? false }

  /// Whether the final response's head came.
  var hasHead: Bool { head != nil }

  /// Whether the reader has given up already.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether it has ended without a whole response.
  var hasFailed: Bool { state.withLock { $0.isOver && !$0.isWhole } }

  /// The end of a round: what came in may go to a waiting reader.
  func settle() {
    isDirty = false
    let waiter = state.withLock { state in
      state.isTouched = false
      return state.isReady ? state.takeWaiter() : nil
    }
    waiter?.resume()
  }

  /// The transfer has ended; the reader gets the result at the end of the round.
  func end(_ failure: ReactorError?) {
    let failure = failure ?? check()
    state.withLock { $0.end(failure) }
  }

  /// The transfer that is to follow at once on this one, which has ended; nil where there is none.
  func successor() -> Transfer? {
    guard let position, let head, state.withLock({ $0.isWhole }) else { return nil }
    return position.successor(after: head, of: self)
  }

  private func check() -> ReactorError? {
    guard !request.isProbe else { return nil }
    guard let head else { return error("the server sent no response") }
    if sentCount == 0, head.coding != .identity, head.endsWithConnection {
      return error("the response was cut short: no byte of its \(head.coding.name) body came")
    }
    return nil
  }

  // MARK: - Reader

  /// Waits for the head.
  func awaitHead() async throws(ReactorError) -> ResponseHead {
    while true {
      if Task.isCancelled { abandon() }
      switch state.withLock({ $0.takeHead() }) {
      case .wait: await change()
      case .done(.some(let head)): return head
      case .done(.none): throw error("the server sent no response")
      case .failed(let error): throw error
      }
    }
  }

  /// Waits for the end of a probe.
  func awaitEnd() async throws(ReactorError) {
    while true {
      if Task.isCancelled { abandon() }
      switch state.withLock({ $0.takeEnd() }) {
      case .wait: await change()
      case .done: return
      case .failed(let error): throw error
      }
    }
  }

  /// The next bytes as sent; nil at the end.
  func nextChunk() async throws(ReactorError) -> [UInt8]? {
    while true {
      if Task.isCancelled { abandon() }
      switch state.withLock({ $0.takeChunk() }) {
      case .wait: await change()
      case .done(let taken):
        if let taken, taken.resumes { mailbox.post(.resume(self)) }
        return taken?.bytes
      case .failed(let error): throw error
      }
    }
  }

  /// Stops the transfer; idempotent, harmless after the end.
  func abandon() {
    let (isNews, waiter) = state.withLock { $0.abandon() }
    if isNews { mailbox.post(.abandon(self)) }
    waiter?.resume()
  }

  private func change() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isReady { return true }
          state.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      abandon()
    }
  }
}
