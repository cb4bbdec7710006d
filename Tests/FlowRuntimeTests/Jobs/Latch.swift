import Synchronization

/// A flag that a server's script reads.
final class Latch: Sendable {
  private let flag = Mutex(false)
  var value: Bool {
    get { flag.withLock { $0 } }
    set { flag.withLock { $0 = newValue } }
  }
}
