/// The newest values of a part of a store's state.
///
/// The current value comes first, then the newest one after each change. A slow reader skips values but always gets the
/// last one; `ReactorStore.allStates(of:)` skips none. Each iterator reads for itself. The sequence ends when the store is
/// finished or released, or when the task is cancelled.
public struct States<R: StateReactor, Value: Sendable>: AsyncSequence, Sendable {
  /// Values.
  public typealias Element = Value
  /// It does not fail.
  public typealias Failure = Never

  let cell: StateCell<R>
  let part: @Sendable (R.State) -> Value
  let isSame: @Sendable (Value, Value) -> Bool

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(states: self, signals: cell.signals().makeAsyncIterator()) }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    let states: States
    var signals: AsyncStream<Void>.Iterator
    var version: Int?
    var last: Value?

    /// The newest value that was not read yet.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// The newest value that was not read yet.
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
        // After the end the state is read once more: its last change may have come together with the end.
        isFinished = await signals.next(isolation: actor) == nil
      }
      return nil
    }
  }
}
