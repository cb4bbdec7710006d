internal import Dispatch

/// The thread of one connection. Calls that block run on it, one after the other.
final class SessionThread: Sendable {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: "reactor.\(name)") }

  /// Runs a job that may block and returns its result.
  func run<Value: Sendable>(
    _ job: @escaping @Sendable () throws(SQLError) -> Value
  ) async throws(SQLError) -> Value {
    try await result(job).get()
  }

  /// Runs a job that may block and returns its result or its error.
  func result<Value: Sendable>(
    _ job: @escaping @Sendable () throws(SQLError) -> Value
  ) async -> Result<Value, SQLError> {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: job)) }
    }
  }
}
