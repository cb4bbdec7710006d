internal import Synchronization

/// The open requests and bodies of one `Network`, for cancelling them all.
///
/// Invariant: all registered work began in the current generation. Ending everything starts a new generation, so
/// that work which is about to register is refused.
final class ConnectionsInFlight: Sendable {
  private struct State {
    var generation = 0
    var next = 0
    /// In the order of their numbers; most networks have one or two.
    var cancels: [(number: Int, cancel: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  /// The generation that new work belongs to.
  var generation: Int { state.withLock { $0.generation } }

  /// Registers work with its cancellation; nil when its generation has ended.
  func register(_ generation: Int, cancel: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard state.generation == generation else { return nil }
      state.next += 1
      // A request, and the body of its response while it is reported.
      if state.cancels.isEmpty { state.cancels.reserveCapacity(2) }
      state.cancels.append((state.next, cancel))
      return state.next
    }
  }

  /// Forgets work that has ended.
  func forget(_ number: Int) {
    // The closure is released outside the lock: releasing what it holds may call this function.
    _ = state.withLock { state in
      state.cancels.firstIndex { $0.number == number }.map { state.cancels.remove(at: $0) }
    }
  }

  /// Ends everything registered.
  func cancelAll() {
    let cancels = state.withLock { state in
      state.generation += 1
      defer { state.cancels = [] }
      return state.cancels
    }
    for (_, cancel) in cancels { cancel() }
  }

  /// How many are registered.
  var count: Int { state.withLock { $0.cancels.count } }

  /// Runs work that `cancelAll` and the caller's cancellation both end.
  ///
  /// The work has a task of its own because only such a task can be cancelled from elsewhere. It is awaited here and
  /// cancelled with the caller.
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

  /// A task that has begun on the caller's thread and has come as far as it can without waiting: a request whose
  /// response is there already needs no other thread.
  private static func begun<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    // A new task does not take its executor along by itself: two changes of thread for each request.
    let executor = PatientExecutor.isCurrent ? PatientExecutor.shared : nil
    guard #available(macOS 26, *) else { return Task(executorPreference: executor) { await work() } }
    return Task.immediate(executorPreference: executor) { await work() }
  }
}
