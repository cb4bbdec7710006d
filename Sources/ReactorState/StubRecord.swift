internal import Synchronization

/// The actions that a stub was sent.
@usableFromInline
final class StubRecord<R: StateReactor>: Sendable {
  private let content = Mutex<[R.Action]>([])

  var actions: [R.Action] { content.withLock { $0 } }

  @usableFromInline func record(_ action: R.Action) { content.withLock { $0.append(action) } }
}
