extension ReactorStore {
  /// Starts the remaining effects of a level up to the first one that takes time. When all have ended, continues with
  /// the outer level, or calls the action's completion.
  func advance(_ scope: EffectScope<R>) {
    guard !scope.isAdvancing else { return }
    scope.isAdvancing = true
    while scope.pending == 0, let effect = scope.remaining.popLast() { begin(effect, in: scope) }
    scope.isAdvancing = false
    guard scope.pending == 0, scope.remaining.isEmpty else { return }
    if let parent = scope.parent {
      parent.pending -= 1
      advance(parent)
    } else {
      scope.completion?()
    }
  }

  private func begin(_ effect: Effect<R.Mutation>, in scope: EffectScope<R>) {
    switch effect {
    case .none: break
    case .commit(let mutations): for mutation in mutations { commit(mutation) }
    case .run(let id, let work): run(work, id, in: scope)
    case .cancel(let id): cancel(id)
    case .sequence(let effects):
      scope.pending += 1
      advance(EffectScope(effects, of: scope.action, scope.completion, in: scope))
    case .merge(let effects): for effect in effects { begin(effect, in: scope) }
    }
  }

  private func run(_ work: @escaping Effect<R.Mutation>.Work, _ id: String?, in scope: EffectScope<R>) {
    lastEffect += 1
    scope.pending += 1
    effects[lastEffect] = RunningEffect(id: id, scope: scope)
    tasks[lastEffect] = Self.start(work, lastEffect, mailbox)
  }

  /// Starts work in a task that retains the mailbox but not the store.
  private static func start(
    _ work: @escaping Effect<R.Mutation>.Work, _ number: Int, _ mailbox: Mailbox<R>
  ) -> Task<Void, Never> {
    let emit = Emit<R.Mutation>(
      deliver: { await mailbox.deliver(.mutation($0, effect: number)) },
      post: { mailbox.post(.mutation($0, effect: number)) }, store: { mailbox.store })
    return Task(executorPreference: mailbox.executor) {
      do {
        try await work(emit)
        await mailbox.deliver(.effectEnded(number, nil))
      } catch {
        await mailbox.deliver(.effectEnded(number, error))
      }
    }
  }

  private func cancel(_ id: String) {
    for (number, effect) in effects.sorted(by: { $0.key < $1.key }) where effect.id == id && !effect.isCancelled {
      effects[number]?.isCancelled = true
      stop(effect.scope)
      tasks[number]?.cancel()
      if let mutation = reactor.mutation(cancelling: id, action: effect.scope.action) { commit(mutation) }
    }
  }

  /// Handles the end of the work with this number: reports its error and starts the next effects.
  func end(_ number: Int, _ error: (any Error)?) {
    tasks[number] = nil
    guard let effect = effects.removeValue(forKey: number) else { return }
    if let error, !effect.isCancelled {
      stop(effect.scope)
      report(error, effect)
    }
    effect.scope.pending -= 1
    advance(effect.scope)
  }

  private func report(_ error: any Error, _ effect: RunningEffect<R>) {
    let action = effect.scope.action
    if error is CancellationError {
      if let mutation = reactor.mutation(cancelling: effect.id ?? "", action: action) { commit(mutation) }
    } else if let mutation = reactor.mutation(for: error, action: action) {
      commit(mutation)
    } else {
      unhandled(error, action)
    }
  }

  /// Drops the remaining effects of a level and of all levels around it.
  private func stop(_ scope: EffectScope<R>) {
    var scope: EffectScope? = scope
    while let level = scope {
      level.remaining = []
      scope = level.parent
    }
  }
}
