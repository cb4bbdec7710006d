/// Passes the mutations of an effect to its store, in the order of the calls.
///
/// The mutations are ignored when the effect was cancelled or the store has ended.
public struct Emit<Mutation: Sendable>: Sendable {
  let deliver: nonisolated(nonsending) @Sendable (Mutation) async -> Void
  let post: @Sendable (Mutation) -> Void
  let store: @Sendable () -> (any Actor)?

  /// Passes a mutation to the store and returns when the mutation is reduced.
  nonisolated(nonsending) public func callAsFunction(_ mutation: Mutation) async { await deliver(mutation) }

  /// Passes a mutation to the store without waiting.
  ///
  /// This is cheaper than waiting for each mutation, because the store reduces several mutations in one turn.
  public func send(_ mutation: Mutation) { post(mutation) }

  /// Reads a part of the current state, as `reduce` left it (before `transform(state:)`).
  ///
  /// The state includes every mutation that was emitted with `await`. The closure blocks the store, so it must be
  /// quick. The result is nil when the store is released or runs another type of reactor.
  public func read<R: StateReactor, Value: Sendable>(
    of reactor: R.Type, _ read: (borrowing R.State) -> Value
  ) -> Value? where R.Mutation == Mutation {
    (store() as? ReactorStore<R>)?.read(read)
  }
}
