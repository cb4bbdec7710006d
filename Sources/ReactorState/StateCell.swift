internal import Synchronization

/// A store's state and its subscribers, protected by one lock.
///
/// Only the store writes the state. Any thread may read it without waiting for the store. A subscription retains no
/// copy of the state: with a copy, the next change would have to copy the whole state.
final class StateCell<R: StateReactor>: Sendable {
  /// A subscription. Its functions are called under the lock.
  struct Subscriber: Sendable {
    /// Called after each change.
    var change: @Sendable (_ state: borrowing R.State) -> Void = { _ in }
    /// Called once for several changes, because waking a reader costs more than handling a change.
    var flush: @Sendable (_ transitions: [Transition<R.Mutation>]) -> Void = { _ in }
    /// Called when the store ends.
    var finish: @Sendable () -> Void
  }

  struct Content {
    /// The state as `reduce` left it, before `transform(state:)`.
    var state: R.State
    /// The state that readers get instead of `state`; nil when they get `state`.
    var transformed: R.State?
    /// The number of mutations so far.
    var sequence = 0
    /// The number of published states so far.
    var version = 0
    var isFinished = false
    /// The most recent changes; trimmed when there are twice as many as `capacity`.
    var history: [Transition<R.Mutation>] = []
    /// The changes since the last flush.
    var pending: [Transition<R.Mutation>] = []
    var subscribers: [Int: Subscriber] = [:]
    var lastSubscriber = 0

    /// The state that readers get.
    var published: R.State { transformed ?? state }
  }

  private let content: Mutex<Content>
  private let capacity: Int

  init(_ state: R.State, transformed: R.State?, history: Int) {
    content = Mutex(Content(state: state, transformed: transformed))
    capacity = max(history, 0)
  }

  // MARK: - Writing

  /// Applies a mutation to the state and returns the new state. Readers get it after `publish`.
  func reduce(_ mutation: R.Mutation, by reactor: R) -> R.State {
    content.withLock { content in
      reactor.reduce(&content.state, mutation)
      content.sequence += 1
      let transition = Transition(sequence: content.sequence, mutation: mutation)
      if capacity > 0 {
        if content.history.count / 2 >= capacity { content.history.removeFirst(content.history.count - capacity) }
        content.history.append(transition)
      }
      if !content.subscribers.isEmpty { content.pending.append(transition) }
      return content.state
    }
  }

  /// Publishes the state to readers, or the transformed state when there is one.
  func publish(_ transformed: R.State?) {
    content.withLock { content in
      content.transformed = transformed
      content.version += 1
      for subscriber in content.subscribers.values { subscriber.change(content.published) }
    }
  }

  /// Replaces the state without a mutation, and publishes it.
  func replace(_ state: R.State) {
    content.withLock { $0.state = state }
    publish(nil)
    flush()
  }

  /// Passes the changes since the last flush to all subscribers.
  func flush() {
    content.withLock { content in
      for subscriber in content.subscribers.values { subscriber.flush(content.pending) }
      content.pending.removeAll(keepingCapacity: true)
    }
  }

  /// Ends all subscriptions; the state can still be read.
  func finish() {
    flush()
    content.withLock { content in
      content.isFinished = true
      for subscriber in content.subscribers.values { subscriber.finish() }
      content.subscribers = [:]
    }
  }

  // MARK: - Reading

  /// Reads a part of the state as `reduce` left it.
  func read<Value: Sendable>(_ read: (borrowing R.State) throws -> Value) rethrows -> Value {
    try content.withLock { try read($0.state) }
  }

  /// The state as `reduce` left it, with the number of its last change.
  var snapshot: (state: R.State, sequence: Int) { content.withLock { ($0.state, $0.sequence) } }

  /// The state that readers get.
  var published: R.State { content.withLock { $0.published } }

  /// Returns a part of the published state with its version; nil when the version is still the given one.
  func part<Value: Sendable>(
    after version: Int?, _ part: @Sendable (R.State) -> Value
  ) -> (value: Value, version: Int)? {
    // The part is read under the lock. A copy of the state outside the lock would make a change copy the whole state.
    content.withLock { $0.version == version ? nil : (part($0.published), $0.version) }
  }

  var subscriberCount: Int { content.withLock { $0.subscribers.count } }

  // MARK: - Subscribing

  /// Adds the subscriber that `make` returns, until the stream of the continuation is cancelled.
  ///
  /// Returns false when `make` returns nil.
  func subscribe<Element>(
    _ continuation: AsyncStream<Element>.Continuation, _ make: @Sendable (inout Content) -> Subscriber?
  ) -> Bool {
    let (number, isAdded, isFinished) = content.withLock { content in
      content.lastSubscriber += 1
      let subscriber = make(&content)
      if !content.isFinished { content.subscribers[content.lastSubscriber] = subscriber }
      return (content.lastSubscriber, subscriber != nil, content.isFinished)
    }
    if isFinished { continuation.finish() }
    continuation.onTermination = { [weak self] reason in
      // For all other reasons `finish` has removed the subscriber, and it still holds the lock.
      guard case .cancelled = reason else { return }
      self?.content.withLock { _ = $0.subscribers.removeValue(forKey: number) }
    }
    return isAdded
  }

  /// A stream with an element when the state may have changed; one element may stand for several changes.
  func signals() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    _ = subscribe(continuation) { _ in
      Subscriber(flush: { _ in continuation.yield() }, finish: { continuation.finish() })
    }
    return stream
  }

  /// Returns all changes that `wants` selects, after the change with number `sequence`; all from now on when it is nil.
  ///
  /// The result is nil when a change after that number is no longer retained.
  func transitions(
    after sequence: Int?, matching wants: @escaping @Sendable (R.Mutation) -> Bool
  ) -> Transitions<R.Mutation>? {
    let (batches, continuation) = AsyncStream.makeStream(of: [Transition<R.Mutation>].self)
    let pass: @Sendable ([Transition<R.Mutation>], Int) -> Void = { transitions, sequence in
      let wanted = transitions.filter { $0.sequence > sequence && wants($0.mutation) }
      if !wanted.isEmpty { continuation.yield(wanted) }
    }
    let isComplete = subscribe(continuation) { [capacity] content in
      let retained = content.history.suffix(capacity)
      let (first, now) = (sequence ?? content.sequence, content.sequence)
      guard first >= now - retained.count else { return nil }
      pass(Array(retained), first)
      return Subscriber(flush: { pass($0, now) }, finish: { continuation.finish() })
    }
    return isComplete ? Transitions(batches: batches) : nil
  }

  /// A stream of all values of a part of the published state, without repetitions; the current value comes first.
  func values<Value: Sendable, Form: Sendable>(
    of part: @escaping @Sendable (R.State) -> Value, isSame: @escaping @Sendable (Value, Value) -> Bool,
    as form: @escaping @Sendable (Value) -> Form
  ) -> AsyncStream<Form> {
    let (stream, continuation) = AsyncStream.makeStream(of: Form.self)
    _ = subscribe(continuation) { content in
      let first = part(content.published)
      continuation.yield(form(first))
      let last = Mutex(first)
      return Subscriber(
        change: { state in
          let value = part(copy state)
          let isNew = last.withLock { last in
            defer { last = value }
            return !isSame(last, value)
          }
          if isNew { continuation.yield(form(value)) }
        }, finish: { continuation.finish() })
    }
    return stream
  }
}
