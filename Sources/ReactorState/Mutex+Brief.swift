public import Synchronization

extension Mutex where Value: ~Copyable {
  /// Holds the lock for some instructions.
  ///
  /// Tries a while before it waits: on Linux one who waits is handed the lock by the kernel, and all who come after
  /// queue up behind it, which costs a change of threads for each of them.
  @inlinable @inline(__always)
  func withBriefLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> sending Result {
    var tries = 0
    while tries < 200 {
      if let result = withLockIfAvailable({ body(&$0) }) { return result }
      tries += 1
    }
    return withLock { body(&$0) }
  }
}
