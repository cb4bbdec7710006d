internal import CCurl
internal import ReactorCore

extension Transfer {
  /// What both sides touch; a plain state machine, whose caller holds the lock and resumes the continuations it
  /// returns.
  struct State {
    /// The reader's side of a step.
    enum Step<Value> {
      case wait
      case done(Value)
      case failed(ReactorError)
    }

    /// A chunk, and whether taking it lets the paused transfer go on.
    struct Taken {
      let bytes: [UInt8]
      let resumes: Bool
    }

    var head: ResponseHead?
    /// The task that waits for a change.
    var waiter: CheckedContinuation<Void, Never>?
    /// Bytes came in this round, and more may come: the end of the round hands them over.
    var isTouched = false

    private var isHeadTaken = false
    private var chunks: [[UInt8]] = []
    private var current: [UInt8] = []
    private var isPaused = false
    private var isAbandoned = false
    private var hasEnded = false
    private var failure: ReactorError?

    /// Whether the reader's next step would not be to wait.
    var isReady: Bool {
      if hasEnded { return true }
      return isHeadTaken ? !chunks.isEmpty || !current.isEmpty && !isTouched : head != nil && !isTouched
    }

    /// Whether nothing more will come.
    var isOver: Bool { hasEnded }

    /// Whether the response came to its proper end before the reader gave up.
    private(set) var isWhole = false

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }

    // MARK: - Driving thread

    /// Stores a piece; returns its count, or libcurl's pause or stop signal, and the reader to wake for a full chunk.
    mutating func append(
      _ bytes: UnsafeRawBufferPointer, expected: Int?
    ) -> (result: Int, waiter: CheckedContinuation<Void, Never>?) {
      if isAbandoned { return (0, nil) }
      if chunks.count >= Transfer.maxChunks {
        isPaused = true
        return (Int(CURL_WRITEFUNC_PAUSE), nil)
      }
      if current.capacity == 0 {
        // The first chunk of unknown length grows; later ones are whole at once.
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
      // A failed transfer has no use for its head, unless the head was there long before.
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

    /// The reader gives up.
    ///
    /// - Returns: whether the driving thread must hear of it, and the waiter to resume
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
