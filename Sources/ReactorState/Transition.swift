/// A change of a store's state with its number: the first is 1, and none is left out.
public struct Transition<Mutation: Sendable>: Sendable {
  /// Counts the store's changes, also those that a listener did not ask for.
  public let sequence: Int
  /// What changed.
  public let mutation: Mutation

  /// Numbers a change.
  public init(sequence: Int, mutation: Mutation) {
    self.sequence = sequence
    self.mutation = mutation
  }
}

extension Transition: Equatable where Mutation: Equatable {}
extension Transition: Hashable where Mutation: Hashable {}
