internal import Synchronization

/// Keeps values as long as the program, so that large ones are not freed object by object just before the process ends.
final class Leftovers: Sendable {
  private let kept = Mutex<[any Sendable]>([])

  func keep(_ value: any Sendable) {
    kept.withLock { $0.append(value) }
  }
}
