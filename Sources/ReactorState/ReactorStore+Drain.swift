extension ReactorStore {
  /// Deals with everything in the mailbox, letters that come meanwhile included.
  ///
  /// Synchronous, and so one turn of the actor: nothing comes between the mutations that an action commits.
  @inlinable func drain() {
    // One who drains from within a drain would mix batches.
    guard batch.isEmpty else { return }
    var silent = 0
    while mailbox.take(&batch) {
      for letter in batch { open(letter) }
      silent += batch.count
      batch.removeAll(keepingCapacity: true)
      if silent >= 256 {
        cell.ring()
        silent = 0
      }
    }
    if silent > 0 { cell.ring() }
    guard effects.isEmpty, !idlers.isEmpty else { return }
    for idler in idlers { idler.resume() }
    idlers = []
  }

  @inlinable func open(_ letter: Mailbox<R>.Letter) {
    guard !isFinished else { return }
    switch letter {
    case .mutation(let mutation, let number):
      guard effects[number]?.isCancelled == false else { return }
      commit(mutation)
    case .external(let mutation): commit(mutation)
    case .action(let action, let dispatch): take(action, dispatch)
    case .ended(let number, let error): end(number, error)
    case .abandoned(let dispatch): settle(dispatch)
    case .finish: close()
    }
  }

  @inlinable func take(_ action: R.Action, _ dispatch: Int?) {
    if let stubbed {
      stubbed.record(action)
      return settle(dispatch)
    }
    guard let action = reactor.transform(action: action) else { return settle(dispatch) }
    switch effect(of: action) {
    case .none: settle(dispatch)
    case .commit(let mutations):
      for mutation in mutations { commit(mutation) }
      settle(dispatch)
    case let effect: perform(effect, of: action, dispatch)
    }
  }

  /// Asks the reactor. In a function of its own, so that the copy of the state is let go before the first mutation,
  /// which would else have to copy all of it.
  @inlinable @inline(never) func effect(of action: R.Action) -> Effect<R.Mutation> {
    reactor.mutate(action, state: cell.snapshot.state)
  }

  @inlinable func commit(_ mutation: R.Mutation) {
    guard let mutation = reactor.transform(mutation: mutation) else { return }
    cell.apply(mutation, by: reactor)
  }

  /// Lets the one go on who waits for an action.
  @inlinable func settle(_ dispatch: Int?) {
    guard let dispatch, openDispatches.remove(dispatch) != nil else { return }
    dispatches.removeValue(forKey: dispatch)?.resume()
  }

  @usableFromInline func close() {
    isFinished = true
    for task in tasks.values { task.cancel() }
    for source in sources { source.cancel() }
    effects = [:]
    tasks = [:]
    effectsByID = [:]
    mailbox.close()
    cell.finish()
    for continuation in dispatches.values { continuation.resume() }
    dispatches = [:]
    openDispatches = []
  }

  /// Passes on what a source gives until it ends; holds the mailbox only, not the store.
  nonisolated static func listen(
    to source: any AsyncSequence<R.Mutation, Never> & Sendable, _ mailbox: Mailbox<R>
  ) -> Task<Void, Never> {
    func pass(_ source: some AsyncSequence<R.Mutation, Never> & Sendable) -> Task<Void, Never> {
      Task {
        for await mutation in source {
          if Task.isCancelled { return }
          await mailbox.deliver(.external(mutation))
        }
      }
    }
    return pass(source)
  }
}
