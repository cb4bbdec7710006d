internal import CSQLite
internal import Synchronization

/// Stops the statement that runs on an SQLite connection when the task that waits for it is cancelled.
///
/// SQLite calls this object between the instructions of a statement, so that no query runs past a deadline.
final class Interruption: Sendable {
  /// The number of SQLite's instructions between two calls: about a tenth of a millisecond.
  private static let interval: Int32 = 10_000

  private let isStopped = Atomic(false)

  /// Makes a connection call this object, which must live as long as the connection.
  func watch(_ database: OpaquePointer?) {
    sqlite3_progress_handler(
      database, Self.interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isStopped.load(ordering: .relaxed)
          ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs `work`, and stops the running statement when the task is cancelled. Only one task at a time may call it.
  func whileRunning<Value: Sendable>(_ work: () async -> Value) async -> Value {
    let value = await withTaskCancellationHandler {
      await work()
    } onCancel: {
      isStopped.store(true, ordering: .relaxed)
    }
    isStopped.store(false, ordering: .relaxed)
    return value
  }
}
