/// A sequence of the newest values of a part of a store's state.
///
/// The current value comes first, then the newest value after each change. A slow reader skips values but always gets
/// the last value. `ReactorStore.allStates(of:)` skips no values. Each iterator reads independently. The sequence ends
/// when the store is finished or released, or when the task is cancelled.
public struct States<R: StateReactor, Value: Sendable>: AsyncSequence, Sendable {
  /// A value of the part of the state.
  public typealias Element = Value
  /// The sequence does not fail.
  public typealias Failure = Never

  let cell: StateCell<R>
  let part: @Sendable (R.State) -> Value
  let isSame: @Sendable (Value, Value) -> Bool

  /// Creates an iterator, which starts with the current value.
  public func makeAsyncIterator() -> Iterator { Iterator(states: self, signals: cell.signals().makeAsyncIterator()) }

  /// An iterator, which reads independently of other iterators.
  public struct Iterator: AsyncIteratorProtocol {
    let states: States
    var signals: AsyncStream<Void>.Iterator
    var version: Int?
    var last: Value?

    /// Waits for and returns the newest value that was not read yet; nil at the end.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Waits for and returns the newest value that was not read yet; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      var isFinished = false
      while !Task.isCancelled {
        if let (value, version) = states.cell.part(after: version, states.part) {
          self.version = version
          if let last, states.isSame(last, value) { continue }
          last = value
          return value
        }
        if isFinished { return nil }
        // The state is read once more after the end, because the last change and the end may be signalled together.
        isFinished = await signals.next(isolation: actor) == nil
      }
      return nil
    }
  }
}
