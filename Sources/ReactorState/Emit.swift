/// Gives the mutations of an effect to its store.
///
/// Both ways keep one order, that of the calls. From an effect that was cancelled, or whose store is gone, nothing is
/// taken any more.
public struct Emit<Mutation: Sendable>: Sendable {
  @usableFromInline let deliver: @Sendable (Mutation) async -> Void
  @usableFromInline let post: @Sendable (Mutation) -> Void
  @usableFromInline let store: @Sendable () -> (any Actor)?

  @inlinable init(
    deliver: @escaping @Sendable (Mutation) async -> Void, post: @escaping @Sendable (Mutation) -> Void,
    store: @escaping @Sendable () -> (any Actor)?
  ) {
    self.deliver = deliver
    self.post = post
    self.store = store
  }

  /// Gives a mutation; returns when it is reduced.
  @inlinable public func callAsFunction(_ mutation: Mutation) async { await deliver(mutation) }

  /// Gives a mutation without waiting until it is reduced, for callers that cannot wait. It is cheaper too: mutations
  /// that come close together are reduced together.
  @inlinable public func send(_ mutation: Mutation) { post(mutation) }

  /// The state at this moment, for work that decides by it; nil when the store is gone or runs another reactor.
  @inlinable public func state<R: StateReactor>(of reactor: R.Type) async -> R.State? where R.Mutation == Mutation {
    guard let store = store() as? ReactorStore<R> else { return nil }
    return await store.reducedState
  }

  /// Something of the state at this moment, without a copy of all of it: what was emitted and awaited is in it. The reading
  /// holds up the store, so it must be quick.
  @inlinable public func read<R: StateReactor, Value: Sendable>(
    of reactor: R.Type, _ read: (borrowing R.State) -> Value
  ) -> Value? where R.Mutation == Mutation {
    (store() as? ReactorStore<R>)?.read(read)
  }
}
