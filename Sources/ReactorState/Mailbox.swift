internal import Synchronization

/// The queue of all messages to a store.
///
/// The first message in an empty mailbox wakes the store. The store then handles all messages in one turn. An effect
/// may retain the mailbox after the store is released.
final class Mailbox<R: StateReactor>: Sendable {
  /// A function that is called once to let a waiting caller continue.
  typealias Completion = @Sendable () -> Void

  enum Message: Sendable {
    case action(R.Action, Completion?)
    /// A mutation of the effect with this number; `effect` is nil for an external mutation.
    case mutation(R.Mutation, effect: Int?)
    case effectEnded(Int, (any Error)?)
    /// Calls the completion when every earlier message has been handled.
    case flush(Completion)
    /// Calls the completion when no message is left and no effect runs.
    case idle(Completion)
    case finish(Completion)

    /// Lets the sender of the message continue, because the store has ended.
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
    /// Whether the store is handling messages and needs no wake-up.
    var isAwake = false
    var isClosed = false
    weak var store: ReactorStore<R>?
  }

  private let content = Mutex(Content())
  /// The executor of the store and its effects; nil for Swift's default threads.
  let executor: (any TaskExecutor)?

  init(executor: (any TaskExecutor)?) { self.executor = executor }

  /// The store; nil after it is released.
  var store: ReactorStore<R>? { content.withLock { $0.store } }

  /// Sets the store that this mailbox wakes, and wakes it if there are messages.
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
    // The store is woken outside the lock, because the end of a store needs the mailbox.
    if let sleeper { wake(sleeper) }
    if !isAdded { message.abandon() }
  }

  /// Adds a message and returns when the store has handled it or has ended.
  nonisolated(nonsending) func deliver(_ message: Message) async {
    let store = content.withLock { content -> ReactorStore<R>? in
      guard !content.isClosed else { return nil }
      content.messages.append(message)
      return content.store
    }
    await store?.drain()
  }

  /// Posts a message and returns when its completion is called.
  func wait(for message: (@escaping Completion) -> Message) async {
    await withCheckedContinuation { continuation in post(message { continuation.resume() }) }
  }

  /// Posts a message and returns when its completion is called or this task is cancelled.
  func waitUnlessCancelled(for message: (@escaping Completion) -> Message) async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    post(message { continuation.finish() })
    for await _ in end {}
  }

  /// Moves all messages into `messages`, which must be empty.
  ///
  /// Returns false when there are no messages. The next message then wakes the store.
  func take(_ messages: inout [Message]) -> Bool {
    content.withLock { content in
      content.isAwake = !content.messages.isEmpty
      swap(&content.messages, &messages)
      return content.isAwake
    }
  }

  /// Closes the mailbox. It accepts no more messages.
  func close() { content.withLock { $0.isClosed = true } }

  private func wake(_ store: ReactorStore<R>) {
    Task(executorPreference: executor) { await store.drain() }
  }
}
