/// A change of a store's state with its number. The first number is 1, and numbers have no gap.
public struct Transition<Mutation: Sendable>: Sendable {
  /// Counts the changes of the store, also those that a reader did not ask for.
  public let sequence: Int
  /// The change.
  public let mutation: Mutation

  /// Numbers a change.
  public init(sequence: Int, mutation: Mutation) {
    self.sequence = sequence
    self.mutation = mutation
  }
}

extension Transition: Equatable where Mutation: Equatable {}
extension Transition: Hashable where Mutation: Hashable {}

/// The changes of a store, in order and without loss. The sequence ends with the store, and has one reader.
public struct Transitions<Mutation: Sendable>: AsyncSequence, Sendable {
  /// Changes with their numbers.
  public typealias Element = Transition<Mutation>
  /// It does not fail.
  public typealias Failure = Never

  let batches: AsyncStream<[Transition<Mutation>]>

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

  /// The reader.
  public struct Iterator: AsyncIteratorProtocol {
    var batches: AsyncStream<[Transition<Mutation>]>.Iterator
    var batch: ArraySlice<Transition<Mutation>> = []

    /// The next change; nil when the store has ended or the task is cancelled.
    public mutating func next() async -> Transition<Mutation>? { await next(isolation: nil) }

    /// The next change; nil when the store has ended or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Transition<Mutation>? {
      while batch.isEmpty {
        guard let next = await batches.next(isolation: actor) else { return nil }
        batch = next[...]
      }
      return batch.popFirst()
    }
  }
}
