/// What a store's state shows to a view: the present value first, then the newest one whenever it has changed.
///
/// A reader that is slower than the changes skips values; the last one always comes. Each reader looks for itself, so
/// nothing is kept for it. The sequence ends when the store is finished or gone, or the reader's task is cancelled.
public struct States<R: StateReactor, Value: Sendable>: AsyncSequence, Sendable {
  /// Values.
  public typealias Element = Value
  /// It does not fail.
  public typealias Failure = Never

  let cell: StateCell<R>
  let value: @Sendable (R.State) -> Value
  let isSame: (@Sendable (Value, Value) -> Bool)?

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(states: self, bells: cell.bell().makeAsyncIterator()) }

  /// One reader.
  public struct Iterator: AsyncIteratorProtocol {
    let states: States
    var bells: AsyncStream<Void>.Iterator
    var version: Int?
    var last: Value?

    /// The newest value that was not read yet.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// The newest value that was not read yet.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      var isOver = false
      while !Task.isCancelled {
        if let (value, version) = states.cell.value(after: version, states.value) {
          self.version = version
          if let isSame = states.isSame {
            if let last, isSame(last, value) { continue }
            last = value
          }
          return value
        }
        if isOver { return nil }
        // What came before the end is looked for once more.
        isOver = await bells.next(isolation: actor) == nil
      }
      return nil
    }
  }
}
