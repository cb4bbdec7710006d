/// What an action does: mutations at once, work that gives mutations later, or the end of such work.
public enum Effect<Mutation: Sendable>: Sendable {
  /// Work that takes time. A mutation is reduced when it was emitted; an error ends the work, and the reactor's hooks
  /// tell of it.
  public typealias Work = @Sendable (_ emit: Emit<Mutation>) async throws -> Void

  /// Nothing.
  case none
  /// Changes, reduced one after another with nothing in between.
  case commit([Mutation])
  /// Work beside everything else. What has the same id can be cancelled by it; several may have one id.
  case run(id: String?, Work)
  /// Cancels all work with an id: from here on it changes nothing, whether it heeds its task's cancellation or not.
  case cancel(id: String)
  /// Effects of which each begins when the one before it has ended. An error or a cancellation ends the sequence.
  case sequence([Effect])
  /// Effects that begin together, in this order.
  case merge([Effect])
}

extension Effect {
  /// Changes, reduced one after another with nothing in between.
  public static func commit(_ mutations: Mutation...) -> Effect { .commit(mutations) }

  /// Work beside everything else, which nothing cancels but the store's end.
  public static func run(_ work: @escaping Work) -> Effect { .run(id: nil, work) }

  /// Work in the place of all work with the same id, which is cancelled.
  public static func latest(id: String, _ work: @escaping Work) -> Effect {
    .sequence([.cancel(id: id), .run(id: id, work)])
  }

  /// Effects of which each begins when the one before it has ended.
  public static func sequence(_ effects: Effect...) -> Effect { .sequence(effects) }

  /// Effects that begin together, in this order.
  public static func merge(_ effects: Effect...) -> Effect { .merge(effects) }
}
