/// A change of a store's state with its number. The first number is 1, and the numbers have no gaps.
public struct Transition<Mutation: Sendable>: Sendable {
  /// The number of the change. Changes that the reader did not select are counted too.
  public let sequence: Int
  /// The change.
  public let mutation: Mutation

  /// Creates a change with its number.
  public init(sequence: Int, mutation: Mutation) {
    self.sequence = sequence
    self.mutation = mutation
  }
}

extension Transition: Equatable where Mutation: Equatable {}
extension Transition: Hashable where Mutation: Hashable {}

/// The changes of a store, in order and without loss. The sequence ends with the store and has a single reader.
public struct Transitions<Mutation: Sendable>: AsyncSequence, Sendable {
  /// A change with its number.
  public typealias Element = Transition<Mutation>
  /// The sequence does not fail.
  public typealias Failure = Never

  let batches: AsyncStream<[Transition<Mutation>]>

  /// Creates the reader.
  public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

  /// The reader of the changes.
  public struct Iterator: AsyncIteratorProtocol {
    var batches: AsyncStream<[Transition<Mutation>]>.Iterator
    var batch: ArraySlice<Transition<Mutation>> = []

    /// Waits for and returns the next change; nil when the store has ended or the task is cancelled.
    public mutating func next() async -> Transition<Mutation>? { await next(isolation: nil) }

    /// Waits for and returns the next change; nil when the store has ended or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Transition<Mutation>? {
      while batch.isEmpty {
        guard let next = await batches.next(isolation: actor) else { return nil }
        batch = next[...]
      }
      return batch.popFirst()
    }
  }
}
