internal import Synchronization

/// One listener to the changes of a state: fetches what has come in one go and gives it out one by one.
///
/// It holds the state's cell, not the store; let go, it listens no more.
final class TransitionReader<R: StateReactor>: Sendable {
  private struct Content {
    var transitions: [Transition<R.Mutation>] = []
    var next = 0
  }

  private let cell: StateCell<R>
  private let number: Int
  private let bells: AsyncStream<Void>
  private let content = Mutex(Content())

  init(_ cell: StateCell<R>, _ number: Int, _ bells: AsyncStream<Void>) {
    self.cell = cell
    self.number = number
    self.bells = bells
  }

  deinit { cell.remove(number) }

  /// The next change; nil when the store has ended and all are given out.
  func next() async -> Transition<R.Mutation>? {
    if let transition = taken() { return transition }
    for await _ in bells {
      if let transition = taken() { return transition }
    }
    // What came before the end is looked for once more.
    return Task.isCancelled ? nil : taken()
  }

  private func taken() -> Transition<R.Mutation>? {
    content.withLock { content in
      if content.next == content.transitions.count {
        content.transitions.removeAll(keepingCapacity: true)
        content.next = 0
        cell.fetch(number, &content.transitions)
      }
      guard content.next < content.transitions.count else { return nil }
      content.next += 1
      return content.transitions[content.next - 1]
    }
  }
}
