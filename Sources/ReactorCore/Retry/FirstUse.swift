internal import Synchronization

/// Reports whether a call is the first one.
final class FirstUse: Sendable {
  private let isUsed = Atomic(false)

  func isFirst() -> Bool { !isUsed.exchange(true, ordering: .relaxed) }
}
