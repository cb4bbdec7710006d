internal import CCurl
internal import ReactorCore
internal import Synchronization

/// One request in progress. The driving thread writes its state, and one task reads it.
///
/// `@unchecked Sendable`: `handle`, `reader`, `sentCount`, `fault` and `isDirty` belong to the driving thread alone,
/// from the start command to the end of the transfer. The driving thread writes `head` once, before the mutex passes a
/// copy to the reader; the reader reads `head` only after that. The mutex guards everything else that both sides touch.
final class Transfer: @unchecked Sendable {
  /// The size in bytes at which a chunk is passed to the reader.
  static let chunkSize = 256 * 1024
  /// The maximum number of chunks that wait for the reader.
  ///
  /// At this number the transfer pauses, and TCP slows the server down.
  static let maxChunks = 4
  /// The maximum size in bytes of one piece from libcurl.
  ///
  /// A buffer has room for one piece more than a chunk, which avoids a reallocation.
  static let pieceSize = 16 * 1024

  let request: TransferRequest
  let mailbox: Mailbox
  /// The request's position in a chain of requests. Nil when it is not part of a chain.
  private let position: TransfersAhead.Position?
  private let state = Mutex(State())

  /// The easy handle that performs the transfer; driving thread only.
  var handle: Handle?
  /// The reader of the header lines; driving thread only.
  var reader: HeadReader
  /// The number of received body bytes before decoding; driving thread only.
  private var sentCount: Int64 = 0
  /// The response's head, with the declared length and coding. The driving thread writes it once.
  private var head: ResponseHead?
  /// The error because of which this program stopped the transfer; driving thread only.
  private(set) var fault: ReactorError?
  /// Whether the driver's list of transfers with new data contains this one; driving thread only.
  var isDirty = false

  init(_ request: TransferRequest, mailbox: Mailbox, _ position: TransfersAhead.Position? = nil) {
    self.request = request
    self.mailbox = mailbox
    self.position = position
    reader = HeadReader(
      maxBytes: request.settings.options.maxHeaderBytes, maxFields: request.settings.options.maxHeaderFields,
      isHead: request.method == "HEAD", asksForRange: request.asksForRange)
  }

  /// An error about this transfer, by default of the kind `server`; its message begins with method and URL.
  func error(_ reason: String, kind: ReactorError.Kind = .server) -> ReactorError {
    ReactorError(kind, "\(request.label): \(reason)", status: head?.status)
  }

  /// An error of a broken connection. The same request may succeed over another connection.
  func broken(_ reason: String) -> ReactorError {
    var error = error(reason)
    error.isBrokenConnection = true
    return error
  }

  // MARK: - Driving thread

  /// Takes a header line; returns false to stop the transfer.
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
      // libcurl would take extra bytes after a head that ends the response as the beginning of the next response.
      handle?.forbidReuse()
    }
    if head.endsWithConnection, request.isSecure { handle?.watchTLSEnd() }
    handle?.watchSpeed()
    state.withLock { $0.head = head }
    return true
  }

  /// Takes encoded body bytes. Returns the value that libcurl expects from its write callback.
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

  /// Whether only the end of the connection marks the end of the body.
  var endsWithConnection: Bool { head?.endsWithConnection ?? false }

  /// Whether the head of the final response has arrived.
  var hasHead: Bool { head != nil }

  /// Whether the transfer has ended, or the reader has abandoned it.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether the transfer has ended without a complete response.
  var hasFailed: Bool { state.withLock { $0.isOver && !$0.isWhole } }

  /// Wakes a waiting reader when received data is ready. Called at the end of a round.
  func settle() {
    isDirty = false
    let waiter = state.withLock { state in
      state.isTouched = false
      return state.isReady ? state.takeWaiter() : nil
    }
    waiter?.resume()
  }

  /// Ends the transfer; the reader gets the result at the end of the round.
  func end(_ failure: ReactorError?) {
    let failure = failure ?? check()
    state.withLock { $0.end(failure) }
    request.span?.end(status: head?.status, failure)
  }

  /// The next transfer of the chain, to be started at once after this transfer has ended. Nil when there is none.
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

  /// Waits until the head of the response has arrived, and returns it.
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

  /// Waits until a probe has opened its connection; throws the reason when it cannot.
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

  /// The next encoded bytes; nil at the end.
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

  /// Stops the transfer. Repeated calls, and calls after the end, have no effect.
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
