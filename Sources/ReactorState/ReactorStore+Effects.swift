extension ReactorStore {
  /// Performs what an action does.
  @inlinable func perform(_ effect: Effect<R.Mutation>, of action: R.Action, _ dispatch: Int?) {
    advance(EffectScope([effect], of: action, dispatch, in: nil))
  }

  /// Begins the next effects of a level until one is under way, and leaves the level when none is left.
  @inlinable func advance(_ scope: EffectScope<R>) {
    guard !scope.isAdvancing else { return }
    scope.isAdvancing = true
    while scope.pending == 0, let effect = scope.rest.popLast() { begin(effect, in: scope) }
    scope.isAdvancing = false
    guard scope.pending == 0, scope.rest.isEmpty else { return }
    if let parent = scope.parent {
      parent.pending -= 1
      advance(parent)
    } else {
      settle(scope.dispatch)
    }
  }

  @inlinable func begin(_ effect: Effect<R.Mutation>, in scope: EffectScope<R>) {
    switch effect {
    case .none: break
    case .commit(let mutations): for mutation in mutations { commit(mutation) }
    case .run(let id, let work): run(work, id, in: scope)
    case .cancel(let id): cancel(id)
    case .sequence(let effects):
      scope.pending += 1
      advance(EffectScope(effects, of: scope.action, scope.dispatch, in: scope))
    case .merge(let effects): for effect in effects { begin(effect, in: scope) }
    }
  }

  @inlinable func run(_ work: @escaping Effect<R.Mutation>.Work, _ id: String?, in scope: EffectScope<R>) {
    lastEffect += 1
    scope.pending += 1
    effects[lastEffect] = RunningEffect(id: id, action: scope.action, scope: scope)
    tasks[lastEffect] = Self.start(work, lastEffect, mailbox)
    if let id { effectsByID[id, default: []].insert(lastEffect) }
  }

  /// Starts work off the store; holds the mailbox only, not the store.
  @inlinable nonisolated static func start(
    _ work: @escaping Effect<R.Mutation>.Work, _ number: Int, _ mailbox: Mailbox<R>
  ) -> Task<Void, Never> {
    let emit = Emit<R.Mutation>(
      deliver: { await mailbox.deliver(.mutation($0, effect: number)) },
      post: { mailbox.post(.mutation($0, effect: number)) }, store: { mailbox.store })
    return Task(executorPreference: mailbox.executor) {
      do {
        try await work(emit)
        await mailbox.deliver(.ended(effect: number, nil))
      } catch {
        await mailbox.deliver(.ended(effect: number, error))
      }
    }
  }

  @inlinable func cancel(_ id: String) {
    for number in (effectsByID[id] ?? []).sorted() {
      guard let effect = effects[number], !effect.isCancelled else { continue }
      effects[number]?.isCancelled = true
      stop(effect.scope)
      tasks[number]?.cancel()
      if let mutation = reactor.mutation(cancelling: id, action: effect.action) { commit(mutation) }
    }
  }

  @inlinable func end(_ number: Int, _ error: (any Error)?) {
    guard let effect = effects.removeValue(forKey: number) else { return }
    tasks[number] = nil
    if let id = effect.id {
      effectsByID[id]?.remove(number)
      if effectsByID[id]?.isEmpty == true { effectsByID[id] = nil }
    }
    if let error, !effect.isCancelled {
      stop(effect.scope)
      tell(error, of: effect)
    }
    effect.scope.pending -= 1
    advance(effect.scope)
  }

  @usableFromInline func tell(_ error: any Error, of effect: RunningEffect<R>) {
    if error is CancellationError {
      // It gave itself up; nobody is told a reason.
      if let mutation = reactor.mutation(cancelling: effect.id ?? "", action: effect.action) { commit(mutation) }
    } else if let mutation = reactor.mutation(for: error, action: effect.action) {
      commit(mutation)
    } else {
      unhandled(error, effect.action)
    }
  }

  /// Nothing that comes after an effect is begun any more, on its level and those around it.
  @inlinable func stop(_ scope: EffectScope<R>) {
    var scope: EffectScope? = scope
    while let level = scope {
      level.rest = []
      scope = level.parent
    }
  }
}
