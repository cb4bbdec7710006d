internal import Synchronization

/// Counts how many do something at once, and the most that ever did.
public final class Gauge: Sendable {
  private let content = Mutex((now: 0, most: 0))

  /// Nobody does anything.
  public init() {}

  /// The most that ever were at it at once.
  public var most: Int { content.withLock { $0.most } }

  /// One begins.
  public func enter() {
    content.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
  }

  /// One ends.
  public func leave() { content.withLock { $0.now -= 1 } }
}
