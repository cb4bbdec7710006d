extension ReactorStore {
  /// Handles all messages in the mailbox in one turn.
  ///
  /// No other work of the store therefore runs between the mutations of a commit.
  func drain() {
    var messages: [Mailbox<R>.Message] = []
    while mailbox.take(&messages) {
      for message in messages { handle(message) }
      messages.removeAll(keepingCapacity: true)
      cell.flush()
    }
    guard effects.isEmpty else { return }
    for idler in idlers { idler() }
    idlers = []
  }

  private func handle(_ message: Mailbox<R>.Message) {
    guard !isFinished else { return message.abandon() }
    switch message {
    case .action(let action, let completion): perform(action, completion)
    case .mutation(let mutation, let effect):
      if let effect, effects[effect]?.isCancelled != false { return }
      commit(mutation)
    case .effectEnded(let number, let error): end(number, error)
    case .flush(let completion): completion()
    case .idle(let completion): idlers.append(completion)
    case .finish(let completion):
      close()
      completion()
    }
  }

  private func perform(_ action: R.Action, _ completion: Mailbox<R>.Completion?) {
    if let stub {
      stub(action)
    } else if let action = reactor.transform(action: action) {
      return advance(EffectScope([effect(of: action)], of: action, completion, in: nil))
    }
    completion?()
  }

  // This is a separate function so that the copy of the state is released before the first mutation. Otherwise that
  // mutation would have to copy the whole state. `transformedState` is separate for the same reason.
  @inline(never) private func effect(of action: R.Action) -> Effect<R.Mutation> {
    reactor.mutate(action, state: cell.snapshot.state)
  }

  @inline(never) private func transformedState(after mutation: R.Mutation) -> R.State? {
    reactor.transform(state: cell.reduce(mutation, by: reactor))
  }

  func commit(_ mutation: R.Mutation) {
    guard let mutation = reactor.transform(mutation: mutation) else { return }
    cell.publish(transformedState(after: mutation))
  }

  private func close() {
    isFinished = true
    for task in tasks.values { task.cancel() }
    for source in sources { source.cancel() }
    for effect in effects.values { effect.scope.completion?() }
    effects = [:]
    tasks = [:]
    mailbox.close()
    cell.finish()
  }
}
