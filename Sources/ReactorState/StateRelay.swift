internal import Synchronization

/// A value that several reactors share.
///
/// ```swift
/// let user = StateRelay<String?>(nil)
/// let profile = ReactorStore(Profile(user: user))
/// user.accept("Ada")
/// ```
///
/// A reactor gets the values of the relay through its external mutations:
///
/// ```swift
/// var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { [user.values.map { .setUser($0) }] }
/// ```
///
/// No value is lost: each reader gets the value at the time when it starts and every later one, in the order in which
/// they were set. A value waits in memory until its reader takes it. The sequences of a relay never end. After the
/// relay is released, readers wait until their tasks are cancelled.
public final class StateRelay<Value: Sendable>: Sendable {
  private struct Content {
    var value: Value
    var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    var lastReader = 0
  }

  private let content: Mutex<Content>

  /// Creates a relay with a value.
  public init(_ value: Value) { content = Mutex(Content(value: value)) }

  /// The current value. Readers get each value that is set, even if it is equal to the previous value.
  ///
  /// `relay.value += 1` reads and sets in two steps, between which another task may set a value. `update` prevents
  /// this.
  public var value: Value {
    get { content.withLock { $0.value } }
    set { accept(newValue) }
  }

  /// Sets the value.
  public func accept(_ value: Value) { update { $0 = value } }

  /// Changes the value in one step: no other value is set in the meantime.
  ///
  /// - Parameter change: Blocks all users of the relay, so it must be quick and must not use the relay.
  public func update(_ change: (inout Value) -> Void) {
    content.withLock { content in
      change(&content.value)
      for reader in content.readers.values { reader.yield(content.value) }
    }
  }

  /// The current value, then each value that is set. A slow reader skips none.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    let number = content.withLock { content in
      content.lastReader += 1
      content.readers[content.lastReader] = continuation
      continuation.yield(content.value)
      return content.lastReader
    }
    continuation.onTermination = { [weak self] _ in
      self?.content.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  package var readerCount: Int { content.withLock { $0.readers.count } }
}
