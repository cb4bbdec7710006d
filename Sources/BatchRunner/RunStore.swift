internal import Synchronization

/// The one owner of a run's state: applies mutations one after another and tells listeners of them in that order.
final class RunStore: Sendable {
  private struct Listener {
    let wants: @Sendable (RunMutation) -> Bool
    let continuation: AsyncStream<RunTransition>.Continuation
  }

  private struct Content {
    var state: RunState
    var sequence = 0
    var listeners: [Int: Listener] = [:]
    var nextListener = 0
  }

  private let content: Mutex<Content>

  init(_ state: RunState) { content = Mutex(Content(state: state)) }

  /// Applies a change; gives what is read from the state right after it.
  @discardableResult
  func apply<Value: Sendable>(
    _ mutation: RunMutation, reading read: (borrowing RunState) -> Value = { (_: borrowing RunState) in () }
  ) -> Value {
    content.withLock { content in
      content.state.reduce(mutation)
      content.sequence += 1
      for listener in content.listeners.values where listener.wants(mutation) {
        listener.continuation.yield(RunTransition(sequence: content.sequence, mutation: mutation))
      }
      if case .finished = mutation {
        for listener in content.listeners.values { listener.continuation.finish() }
        content.listeners = [:]
      }
      return read(content.state)
    }
  }

  /// Something of the present state; quick, for it holds up the run.
  func read<Value: Sendable>(_ read: (borrowing RunState) -> Value) -> Value {
    content.withLock { read($0.state) }
  }

  /// The changes from now on, lossless; ends with the run.
  func transitions(matching wants: @escaping @Sendable (RunMutation) -> Bool) -> AsyncStream<RunTransition> {
    // Unbounded, because applying cannot wait; what a listener holds is bounded by the changes it asks for.
    let (stream, continuation) = AsyncStream.makeStream(of: RunTransition.self, bufferingPolicy: .unbounded)
    let number: Int? = content.withLock { content in
      guard content.state.phase != .finished else { return nil }
      content.nextListener += 1
      content.listeners[content.nextListener] = Listener(wants: wants, continuation: continuation)
      return content.nextListener
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] reason in
      // A finished stream was removed by the one who finished it, who holds the lock.
      guard case .cancelled = reason else { return }
      self?.content.withLock { $0.listeners[number] = nil }
    }
    return stream
  }
}
