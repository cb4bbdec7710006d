public import Synchronization

/// Everything that a store is told, in the order in which it is told.
///
/// Whoever puts a letter into an empty box wakes the store, which takes all letters there are at once: many letters that
/// come close together cost one turn of the store. The box outlives its store where an effect still holds it.
///
/// Inlinable like all that a mutation passes, so that the compiler makes a store for each reactor: see
/// `docs/decisions/state-store.md`.
@usableFromInline
final class Mailbox<R: StateReactor>: Sendable {
  @usableFromInline
  enum Letter: Sendable {
    case action(R.Action, dispatch: Int?)
    /// From an effect.
    case mutation(R.Mutation, effect: Int)
    /// From outside.
    case external(R.Mutation)
    /// An effect is over.
    case ended(effect: Int, (any Error)?)
    /// Nobody waits for a dispatch any more.
    case abandoned(dispatch: Int)
    case finish
  }

  @usableFromInline
  struct Content {
    @usableFromInline var letters: [Letter] = []
    /// Whether the store will look into the box without being woken.
    @usableFromInline var isAwake = false
    @usableFromInline var isClosed = false
    @usableFromInline weak var store: ReactorStore<R>?

    @inlinable init() {}
  }

  @usableFromInline let content = Mutex(Content())
  /// Where the store takes its turns and effects begin; nil for Swift's own threads.
  @usableFromInline let executor: (any TaskExecutor)?

  @inlinable init(executor: (any TaskExecutor)?) { self.executor = executor }

  /// The store, while it lives.
  @inlinable var store: ReactorStore<R>? { content.withLock { $0.store } }

  /// Says whom to wake, and wakes it if there are letters.
  @inlinable func attach(_ store: ReactorStore<R>) {
    let isDue = content.withLock { content in
      content.store = store
      content.isAwake = !content.letters.isEmpty
      return content.isAwake
    }
    if isDue { Task(executorPreference: executor) { await store.drain() } }
  }

  /// Puts a letter in and wakes the store.
  @inlinable func post(_ letter: Letter) {
    let sleeper = content.withLock { content -> ReactorStore<R>? in
      guard !content.isClosed else { return nil }
      content.letters.append(letter)
      guard !content.isAwake, let store = content.store else { return nil }
      content.isAwake = true
      return store
    }
    // The store is let go outside of the lock: its end needs the box.
    if let sleeper { Task(executorPreference: executor) { await sleeper.drain() } }
  }

  /// Puts a letter in; returns when the store has dealt with it.
  @inlinable func deliver(_ letter: Letter) async {
    let store = content.withLock { content -> ReactorStore<R>? in
      guard !content.isClosed else { return nil }
      content.letters.append(letter)
      return content.store
    }
    await store?.drain()
  }

  /// Puts a letter in for a store that is about to look.
  @inlinable func enclose(_ letter: Letter) {
    content.withLock { if !$0.isClosed { $0.letters.append(letter) } }
  }

  /// Takes all letters in exchange for an empty array; false when there are none, and the store may sleep.
  @inlinable func take(_ letters: inout [Letter]) -> Bool {
    content.withLock { content in
      content.isAwake = !content.letters.isEmpty
      swap(&content.letters, &letters)
      return content.isAwake
    }
  }

  /// Takes nothing more.
  @inlinable func close() {
    let rest = content.withLock { content in
      content.isClosed = true
      defer { content.letters = [] }
      return content.letters
    }
    withExtendedLifetime(rest) {}
  }
}
