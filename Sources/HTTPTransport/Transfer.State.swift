internal import CCurl
internal import ReactorCore

extension Transfer {
  /// The state that the driving thread and the reader share.
  ///
  /// A plain state machine. Its caller holds the lock and resumes the continuations that the functions return.
  struct State {
    /// The result of one step of the reader.
    enum Step<Value> {
      case wait
      case done(Value)
      case failed(ReactorError)
    }

    /// A chunk, and whether the paused transfer must be resumed after the chunk is taken.
    struct Taken {
      let bytes: [UInt8]
      let resumes: Bool
    }

    var head: ResponseHead?
    /// The continuation of the task that waits for a change.
    var waiter: CheckedContinuation<Void, Never>?
    /// Whether bytes arrived since the driver last woke the readers. It wakes them when it has handled all ready
    /// sockets, because more bytes may arrive.
    var isTouched = false

    private var isHeadTaken = false
    private var chunks: [[UInt8]] = []
    private var current: [UInt8] = []
    private var isPaused = false
    private var isAbandoned = false
    private var hasEnded = false
    private var failure: ReactorError?

    /// Whether the reader's next step can finish without waiting.
    var isReady: Bool {
      if hasEnded { return true }
      return isHeadTaken ? !chunks.isEmpty || !current.isEmpty && !isTouched : head != nil && !isTouched
    }

    /// Whether the transfer has ended; no more data will arrive.
    var isOver: Bool { hasEnded }

    /// Whether the response was completely received before the reader abandoned the transfer.
    private(set) var isWhole = false

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }

    // MARK: - Driving thread

    /// Stores received bytes.
    ///
    /// Returns the number of bytes, or libcurl's signal to pause or stop. When a chunk is full, also returns the
    /// waiting reader, which must be resumed.
    mutating func append(
      _ bytes: UnsafeRawBufferPointer, expected: Int?
    ) -> (result: Int, waiter: CheckedContinuation<Void, Never>?) {
      if isAbandoned { return (0, nil) }
      if chunks.count >= Transfer.maxChunks {
        isPaused = true
        return (Int(CURL_WRITEFUNC_PAUSE), nil)
      }
      if current.capacity == 0 {
        // The buffer of the first chunk grows when the length is unknown; later chunks get their full size at once.
        let full = Transfer.chunkSize + Transfer.pieceSize
        current.reserveCapacity(min(full, max(bytes.count, expected ?? (isHeadTaken ? full : bytes.count))))
      }
      current.append(contentsOf: bytes)
      isTouched = true
      guard current.count >= Transfer.chunkSize else { return (bytes.count, nil) }
      chunks.append(current)
      current = []
      return (bytes.count, isHeadTaken ? takeWaiter() : nil)
    }

    mutating func end(_ failure: ReactorError?) {
      guard !hasEnded else { return }
      if !current.isEmpty { chunks.append(current) }
      current = []
      hasEnded = true
      isWhole = failure == nil
      self.failure = failure
    }

    // MARK: - Reader

    mutating func takeHead() -> Step<ResponseHead?> {
      // A failed transfer does not return its head, unless the reader took the head before the failure.
      if let failure { return .failed(failure) }
      guard let head, !isTouched || hasEnded else { return hasEnded ? .done(nil) : .wait }
      isHeadTaken = true
      return .done(head)
    }

    func takeEnd() -> Step<Void> {
      if let failure { return .failed(failure) }
      return hasEnded ? .done(()) : .wait
    }

    mutating func takeChunk() -> Step<Taken?> {
      if !chunks.isEmpty {
        let bytes = chunks.removeFirst()
        let resumes = isPaused && !hasEnded && chunks.count <= Transfer.maxChunks / 2
        if resumes { isPaused = false }
        return .done(Taken(bytes: bytes, resumes: resumes))
      }
      if let failure { return .failed(failure) }
      if hasEnded { return .done(nil) }
      guard !current.isEmpty, !isTouched else { return .wait }
      defer { current = [] }
      return .done(Taken(bytes: current, resumes: false))
    }

    /// Ends the transfer for the reader and drops the received chunks.
    ///
    /// - Returns: whether the driving thread must be notified, and the waiter to resume
    mutating func abandon() -> (isNews: Bool, waiter: CheckedContinuation<Void, Never>?) {
      let isNews = !hasEnded && !isAbandoned
      isAbandoned = true
      chunks = []
      current = []
      if !hasEnded {
        hasEnded = true
        failure = .cancelled
      }
      return (isNews, takeWaiter())
    }
  }
}
