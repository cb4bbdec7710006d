internal import Synchronization

/// A value that several reactors share.
///
/// ```swift
/// let user = StateRelay<String?>(nil)
///
/// struct Profile: StateReactor {
///   var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { [user.values.map { .setUser($0) }] }
/// }
/// ```
///
/// The sequences of a relay never end. After the relay is released, readers wait until their tasks are cancelled.
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
  public var value: Value {
    get { content.withLock { $0.value } }
    set { accept(newValue) }
  }

  /// Sets the value.
  public func accept(_ value: Value) {
    content.withLock { content in
      content.value = value
      for reader in content.readers.values { reader.yield(value) }
    }
  }

  /// The current value, then the newest one after each change. A slow reader skips values.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
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
