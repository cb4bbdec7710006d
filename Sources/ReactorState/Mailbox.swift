internal import Synchronization

/// The queue of everything that a store is asked to do.
///
/// The first message in an empty mailbox wakes the store, which then handles all messages in one turn. An effect may
/// hold the mailbox longer than the store lives.
final class Mailbox<R: StateReactor>: Sendable {
  /// Called once, when what a caller waits for is over.
  typealias Completion = @Sendable () -> Void

  enum Message: Sendable {
    case action(R.Action, Completion?)
    /// From an effect, or from outside (nil).
    case mutation(R.Mutation, effect: Int?)
    case effectEnded(Int, (any Error)?)
    /// Everything before it has been handled.
    case flush(Completion)
    /// Nothing is left to do.
    case idle(Completion)
    case finish(Completion)

    /// Lets its sender go on, because the store has ended.
    func abandon() {
      switch self {
      case .action(_, let completion): completion?()
      case .flush(let completion), .idle(let completion), .finish(let completion): completion()
      case .mutation, .effectEnded: break
      }
    }
  }

  private struct Content {
    var messages: [Message] = []
    /// Whether the store takes messages without being woken.
    var isAwake = false
    var isClosed = false
    weak var store: ReactorStore<R>?
  }

  private let content = Mutex(Content())
  /// Where the store and its effects run; nil for Swift's default threads.
  let executor: (any TaskExecutor)?

  init(executor: (any TaskExecutor)?) { self.executor = executor }

  /// The store, while it lives.
  var store: ReactorStore<R>? { content.withLock { $0.store } }

  /// Sets the store to wake, and wakes it if there are messages.
  func attach(_ store: ReactorStore<R>) {
    let hasMessages = content.withLock { content in
      content.store = store
      content.isAwake = !content.messages.isEmpty
      return content.isAwake
    }
    if hasMessages { wake(store) }
  }

  /// Adds a message and wakes the store.
  func post(_ message: Message) {
    let (isAdded, sleeper) = content.withLock { content -> (Bool, ReactorStore<R>?) in
      guard !content.isClosed else { return (false, nil) }
      content.messages.append(message)
      guard !content.isAwake, let store = content.store else { return (true, nil) }
      content.isAwake = true
      return (true, store)
    }
    // Outside of the lock: the end of a store needs the mailbox.
    if let sleeper { wake(sleeper) }
    if !isAdded { message.abandon() }
  }

  /// Adds a message; returns when the store has handled it or is gone.
  func deliver(_ message: Message) async {
    let store = content.withLock { content -> ReactorStore<R>? in
      guard !content.isClosed else { return nil }
      content.messages.append(message)
      return content.store
    }
    await store?.drain()
  }

  /// Posts a message and returns when it is completed.
  func wait(for message: (@escaping Completion) -> Message) async {
    await withCheckedContinuation { continuation in post(message { continuation.resume() }) }
  }

  /// Posts a message and returns when it is completed, or this task is cancelled.
  func waitUnlessCancelled(for message: (@escaping Completion) -> Message) async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    post(message { continuation.finish() })
    for await _ in end {}
  }

  /// Exchanges all messages for an empty array; false when there are none and the store may sleep.
  func take(_ messages: inout [Message]) -> Bool {
    content.withLock { content in
      content.isAwake = !content.messages.isEmpty
      swap(&content.messages, &messages)
      return content.isAwake
    }
  }

  /// Takes no more messages.
  func close() { content.withLock { $0.isClosed = true } }

  private func wake(_ store: ReactorStore<R>) {
    Task(executorPreference: executor) { await store.drain() }
  }
}
