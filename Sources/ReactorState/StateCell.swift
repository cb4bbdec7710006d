public import Synchronization

/// A store's state with those who listen to it.
///
/// The store alone writes; everybody may read, without waiting for a turn of the store. Nothing is copied for a listener
/// who does not look: a state that somebody holds must be copied by the next change, so states are given on demand.
@usableFromInline
final class StateCell<R: StateReactor>: Sendable {
  /// Touched under the lock only.
  @usableFromInline
  final class Listener {
    @usableFromInline let wants: @Sendable (R.Mutation) -> Bool
    /// Rung when the inbox has got something.
    @usableFromInline let bell: AsyncStream<Void>.Continuation
    /// What was not fetched yet. Unbounded, because a change cannot wait; bounded by the changes that are wanted.
    @usableFromInline var inbox: [Transition<R.Mutation>] = []

    init(wants: @escaping @Sendable (R.Mutation) -> Bool, bell: AsyncStream<Void>.Continuation) {
      self.wants = wants
      self.bell = bell
    }
  }

  @usableFromInline
  struct Content {
    @usableFromInline var state: R.State
    /// Changes so far.
    @usableFromInline var sequence = 0
    /// Changes and replacements so far.
    @usableFromInline var version = 0
    @usableFromInline var isFinished = false
    /// The last changes; trimmed when it has grown to twice what is wanted.
    @usableFromInline var history: [Transition<R.Mutation>] = []
    @usableFromInline var listeners: [Int: Listener] = [:]
    @usableFromInline var watchers: [Int: @Sendable (borrowing R.State) -> Void] = [:]
    @usableFromInline var bells: [Int: AsyncStream<Void>.Continuation] = [:]
    @usableFromInline var ends: [Int: @Sendable () -> Void] = [:]
    @usableFromInline var next = 0

    @usableFromInline init(state: R.State) { self.state = state }
  }

  @usableFromInline let content: Mutex<Content>
  @usableFromInline let capacity: Int

  init(_ state: R.State, history: Int) {
    content = Mutex(Content(state: state))
    capacity = max(history, 0)
  }

  // MARK: - Writing

  /// Changes the state and tells of it.
  @inlinable func apply(_ mutation: R.Mutation, by reactor: R) {
    content.withLock { content in
      guard !content.isFinished else { return }
      reactor.reduce(&content.state, mutation)
      content.sequence += 1
      content.version += 1
      if capacity > 0 {
        if content.history.count / 2 >= capacity { content.history.removeFirst(content.history.count - capacity) }
        content.history.append(Transition(sequence: content.sequence, mutation: mutation))
      }
      for listener in content.listeners.values where listener.wants(mutation) {
        listener.inbox.append(Transition(sequence: content.sequence, mutation: mutation))
      }
      for watcher in content.watchers.values { watcher(content.state) }
    }
  }

  /// Puts another state in the place of this one.
  func replace(_ state: R.State) {
    content.withLock { content in
      content.state = state
      content.version += 1
      for watcher in content.watchers.values { watcher(content.state) }
    }
    ring()
  }

  /// Tells those who wait that there is something new. Waking somebody costs more than many changes, so this is done
  /// once for many of them.
  @inlinable func ring() {
    content.withLock { content in
      for bell in content.bells.values { bell.yield() }
      for listener in content.listeners.values where !listener.inbox.isEmpty { listener.bell.yield() }
    }
  }

  /// Ends all streams; the state stays readable.
  func finish() {
    content.withLock { content in
      content.isFinished = true
      for listener in content.listeners.values { listener.bell.finish() }
      for bell in content.bells.values { bell.finish() }
      for end in content.ends.values { end() }
      // Listeners stay until they have fetched their rest.
      content.bells = [:]
      content.watchers = [:]
      content.ends = [:]
    }
  }

  // MARK: - Reading

  /// Something of the state.
  @inlinable func read<Value>(_ read: (borrowing R.State) throws -> Value) rethrows -> Value where Value: Sendable {
    try content.withLock { try read($0.state) }
  }

  /// The state with the number of its last change.
  @inlinable var snapshot: (state: R.State, sequence: Int) { content.withLock { ($0.state, $0.sequence) } }

  /// Something of the state with the state's version, if that is newer than one seen.
  func value<Value: Sendable>(
    after version: Int?, _ value: @Sendable (R.State) -> Value
  ) -> (value: Value, version: Int)? {
    // Read under the lock: a copy of the state that were looked at outside would make the store copy the state too.
    content.withLock { $0.version == version ? nil : (value($0.state), $0.version) }
  }

  /// How many listen, in whatever way.
  var listenerCount: Int {
    content.withLock { $0.listeners.count + $0.bells.count + $0.watchers.count }
  }

  // MARK: - Listening

  /// A stream that has an element whenever the state may be newer; several changes may give one.
  func bell() -> AsyncStream<Void> {
    let (stream, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    _ = add(to: bell) { content, number in if !content.isFinished { content.bells[number] = bell } }
    return stream
  }

  /// All changes after a number that a listener asks for; nil when they are not kept any more.
  ///
  /// - Parameter form: what the listener gets of each.
  func transitions<Form>(
    after sequence: Int?, matching wants: @escaping @Sendable (R.Mutation) -> Bool,
    as form: @escaping @Sendable (Transition<R.Mutation>) -> Form
  ) -> AsyncStream<Form>? {
    let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var isKept = true
    let number = add(to: bell) { content, number in
      let listener = Listener(wants: wants, bell: bell)
      if let sequence, sequence < content.sequence {
        let kept = content.history.suffix(capacity)
        isKept = sequence >= content.sequence - kept.count
        listener.inbox = kept.filter { $0.sequence > sequence && wants($0.mutation) }
        bell.yield()
      }
      if isKept { content.listeners[number] = listener }
    }
    guard isKept else { return nil }
    let reader = TransitionReader(self, number, bells)
    return AsyncStream {
      await reader.next().map(form)
    } onCancel: { [weak self] in
      self?.remove(number)
    }
  }

  /// What has come for a listener since it last asked, in exchange for an empty array.
  func fetch(_ number: Int, _ transitions: inout [Transition<R.Mutation>]) {
    content.withLock { content in
      guard let listener = content.listeners[number] else { return }
      swap(&transitions, &listener.inbox)
    }
  }

  /// Every event of a pulse, the present value first.
  func pulses<Value: Sendable>(of pulse: @escaping @Sendable (borrowing R.State) -> Pulse<Value>) -> AsyncStream<Value>
  {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .unbounded)
    _ = add(to: continuation) { content, number in
      let first = pulse(content.state)
      let last = Mutex(first.valueUpdatedCount)
      continuation.yield(first.wrappedValue)
      guard !content.isFinished else { return }
      content.watchers[number] = { state in
        let pulse = pulse(state)
        let isNew = last.withLock { last in
          defer { last = pulse.valueUpdatedCount }
          return last != pulse.valueUpdatedCount
        }
        if isNew { continuation.yield(pulse.wrappedValue) }
      }
      content.ends[number] = { continuation.finish() }
    }
    return stream
  }

  private func add<Element>(
    to continuation: AsyncStream<Element>.Continuation, _ add: (inout Content, Int) -> Void
  ) -> Int {
    let (number, isFinished) = content.withLock { content in
      content.next += 1
      add(&content, content.next)
      return (content.next, content.isFinished)
    }
    guard !isFinished else {
      continuation.finish()
      return number
    }
    continuation.onTermination = { [weak self] reason in
      // A finished stream was removed by the one who finished it, who holds the lock.
      guard case .cancelled = reason else { return }
      self?.remove(number)
    }
    return number
  }

  func remove(_ number: Int) {
    content.withLock { content in
      content.listeners[number] = nil
      content.bells[number] = nil
      content.watchers[number] = nil
      content.ends[number] = nil
    }
  }
}
