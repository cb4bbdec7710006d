/// Passes the mutations of an effect to its store, in the order of the calls.
///
/// Mutations of a cancelled effect, or for a store that has ended, are ignored.
public struct Emit<Mutation: Sendable>: Sendable {
  let deliver: @Sendable (Mutation) async -> Void
  let post: @Sendable (Mutation) -> Void
  let store: @Sendable () -> (any Actor)?

  /// Passes a mutation and returns when it is reduced.
  public func callAsFunction(_ mutation: Mutation) async { await deliver(mutation) }

  /// Passes a mutation without waiting. Cheaper: the store reduces several of them in one turn.
  public func send(_ mutation: Mutation) { post(mutation) }

  /// Reads a part of the current state, as `reduce` left it; nil when the store is gone or runs another reactor.
  ///
  /// The state contains every mutation that was emitted with `await`. The closure blocks the store, so it must be quick.
  public func read<R: StateReactor, Value: Sendable>(
    of reactor: R.Type, _ read: (borrowing R.State) -> Value
  ) -> Value? where R.Mutation == Mutation {
    (store() as? ReactorStore<R>)?.read(read)
  }
}
