internal import Synchronization

/// The open requests and bodies of one `Network`, for cancelling all of them.
///
/// Invariant: all registered work began in the current generation. `cancelAll` starts a new generation. Work of an
/// older generation can then no longer register.
final class ConnectionsInFlight: Sendable {
  private struct State {
    var generation = 0
    var next = 0
    /// The registered work, ordered by number. Most networks have one or two entries.
    var cancels: [(number: Int, cancel: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// The current generation.
  var generation: Int { state.withLock { $0.generation } }

  /// Registers work with its cancel function; returns nil when its generation has ended.
  func register(_ generation: Int, cancel: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard state.generation == generation else { return nil }
      state.next += 1
      // The usual case has two entries: a request, and the body of its response while it is read.
      if state.cancels.isEmpty { state.cancels.reserveCapacity(2) }
      state.cancels.append((state.next, cancel))
      return state.next
    }
  }

  /// Removes work that has ended.
  func forget(_ number: Int) {
    // The closure is released outside the lock, because releasing the objects that it holds may call this function.
    _ = state.withLock { state in
      state.cancels.firstIndex { $0.number == number }.map { state.cancels.remove(at: $0) }
    }
  }

  /// Cancels all registered work.
  func cancelAll() {
    let cancels = state.withLock { state in
      state.generation += 1
      defer { state.cancels = [] }
      return state.cancels
    }
    for (_, cancel) in cancels { cancel() }
  }

  /// The number of registered requests and bodies.
  var count: Int { state.withLock { $0.cancels.count } }

  /// Runs work that ends on `cancelAll` and on the caller's cancellation.
  ///
  /// The work runs in its own task, because only such a task can be cancelled from elsewhere. This function awaits the
  /// task and cancels it together with the caller.
  func run<Value: Sendable>(
    _ generation: Int, _ work: @escaping @Sendable () async throws(ReactorError) -> Value
  ) async throws(ReactorError) -> Value {
    let task = Self.begun { () async -> Result<Value, ReactorError> in
      do throws(ReactorError) {
        return .success(try await work())
      } catch {
        return .failure(error.unlessCancelled)
      }
    }
    guard let number = register(generation, cancel: { task.cancel() }) else {
      task.cancel()
      throw .cancelled
    }
    defer { forget(number) }
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  /// Creates a task that starts on the caller's thread and runs there until it has to wait.
  ///
  /// A request whose response is already available therefore needs no other thread.
  private static func begun<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    // A new task does not inherit the executor. Without this, each request would change threads twice.
    let executor = PatientExecutor.isCurrent ? PatientExecutor.shared : nil
    guard #available(macOS 26, *) else { return Task(executorPreference: executor) { await work() } }
    return Task.immediate(executorPreference: executor) { await work() }
  }
}
