internal import Synchronization

/// A value that several reactors share: whoever sets it tells all of them.
///
/// ```swift
/// let user = StateRelay<String?>(nil)
///
/// struct Profile: StateReactor {
///   var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { [user.values.map { .setUser($0) }] }
/// }
/// ```
///
/// It never ends: letting it go leaves its listeners waiting until their tasks are cancelled.
public final class StateRelay<Value: Sendable>: Sendable {
  private struct Content {
    var value: Value
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    var next = 0
  }

  private let content: Mutex<Content>

  /// Begins with a value.
  public init(_ value: Value) { content = Mutex(Content(value: value)) }

  /// The present value; setting an equal one is told too.
  public var value: Value {
    get { content.withLock { $0.value } }
    set { accept(newValue) }
  }

  /// Sets the value and tells of it.
  public func accept(_ value: Value) {
    content.withLock { content in
      content.value = value
      for listener in content.listeners.values { listener.yield(value) }
    }
  }

  /// The present value, then the newest one whenever it was set; a listener that is slow skips values.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let number = content.withLock { content in
      content.next += 1
      content.listeners[content.next] = continuation
      continuation.yield(content.value)
      return content.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.content.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// How many listen.
  package var listenerCount: Int { content.withLock { $0.listeners.count } }
}
