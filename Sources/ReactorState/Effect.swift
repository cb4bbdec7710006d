/// The effect of an action: mutations now, work that emits mutations later, or the cancellation of work.
public enum Effect<Mutation: Sendable>: Sendable {
  /// Work that takes time. An error ends the work and is passed to the reactor's `mutation(for:action:)`.
  public typealias Work = @Sendable (_ emit: Emit<Mutation>) async throws -> Void

  /// Does nothing.
  case none
  /// Reduces mutations one after another, with no other mutation in between.
  case commit([Mutation])
  /// Runs work concurrently. Work with an id can be cancelled; several effects may share an id.
  case run(id: String?, Work)
  /// Cancels all work with an id. Mutations that this work emits later are ignored, even if the work continues.
  case cancel(id: String)
  /// Starts each effect when the previous effect has ended. An error or a cancellation ends the sequence.
  case sequence([Effect])
  /// Starts all effects at once, in this order.
  case merge([Effect])
}

extension Effect {
  /// Reduces mutations one after another, with no other mutation in between.
  public static func commit(_ mutations: Mutation...) -> Effect { .commit(mutations) }

  /// Runs work concurrently, until the work or the store ends.
  public static func run(_ work: @escaping Work) -> Effect { .run(id: nil, work) }

  /// Cancels all work with an id, then runs new work with that id.
  public static func latest(id: String, _ work: @escaping Work) -> Effect {
    .sequence([.cancel(id: id), .run(id: id, work)])
  }

  /// Starts each effect when the previous effect has ended.
  public static func sequence(_ effects: Effect...) -> Effect { .sequence(effects) }

  /// Starts all effects at once, in this order.
  public static func merge(_ effects: Effect...) -> Effect { .merge(effects) }
}
