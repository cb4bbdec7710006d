/// Runs a reactor: the only place that changes its state.
///
/// Actions, mutations of effects and external mutations go through one queue and are handled one after another. An
/// action that is sent while another one is handled waits, so their mutations never mix. A store works from its creation
/// until it is finished or released; then its effects are cancelled and its sequences end.
public final actor ReactorStore<R: StateReactor> {
  /// The reactor.
  public nonisolated let reactor: R

  nonisolated let cell: StateCell<R>
  nonisolated let mailbox: Mailbox<R>
  /// Takes the actions in place of the reactor when a view is tested.
  let stub: (@Sendable (R.Action) -> Void)?
  let unhandled: @Sendable (any Error, R.Action) -> Void
  let sources: [Task<Void, Never>]

  var effects: [Int: RunningEffect<R>] = [:]
  /// The tasks of the effects, by the same numbers: `deinit` may not touch `effects`.
  var tasks: [Int: Task<Void, Never>] = [:]
  var lastEffect = 0
  var idlers: [Mailbox<R>.Completion] = []
  var isFinished = false

  /// Starts a reactor.
  ///
  /// - Parameter history: The number of last changes that are retained for `transitions(after:)`.
  /// - Parameter executor: Where the store handles everything that it receives, and where its effects begin; nil for
  ///   Swift's default threads. Only an effect that emits with `await` from a task with another executor takes that along.
  /// - Parameter unhandled: Called with an effect's error for which the reactor has no mutation. The default writes one
  ///   line to standard error.
  public init(
    _ reactor: R, history: Int = 1024, executor: (any TaskExecutor)? = nil,
    unhandled: @escaping @Sendable (any Error, R.Action) -> Void = { UnhandledError.write($0, $1) }
  ) {
    let state = reactor.initialState
    let mailbox = Mailbox<R>(executor: executor)
    self.reactor = reactor
    self.unhandled = unhandled
    self.mailbox = mailbox
    stub = nil
    cell = StateCell(state, transformed: reactor.transform(state: state), history: history)
    sources = reactor.externalMutations.map { Self.listen(to: $0, mailbox) }
    mailbox.attach(self)
  }

  /// A store that calls no function of the reactor.
  init(_ reactor: R, state: R.State, stub: @escaping @Sendable (R.Action) -> Void) {
    self.reactor = reactor
    self.stub = stub
    unhandled = { _, _ in }
    mailbox = Mailbox(executor: nil)
    cell = StateCell(state, transformed: nil, history: 0)
    sources = []
    mailbox.attach(self)
  }

  deinit {
    for task in tasks.values { task.cancel() }
    for source in sources { source.cancel() }
    mailbox.close()
    cell.finish()
  }

  /// Passes on the mutations of a source in a task that holds the mailbox but not the store.
  private static func listen(
    to source: some AsyncSequence<R.Mutation, Never> & Sendable, _ mailbox: Mailbox<R>
  ) -> Task<Void, Never> {
    Task(executorPreference: mailbox.executor) {
      for await mutation in source {
        if Task.isCancelled { return }
        await mailbox.deliver(.mutation(mutation, effect: nil))
      }
    }
  }

  // MARK: - Actions

  /// Sends an action without waiting. Actions of one sender are handled in the order in which they were sent.
  public nonisolated func send(_ action: R.Action) { mailbox.post(.action(action, nil)) }

  /// Sends the actions of a sequence until it ends. An error of the sequence does not end the store.
  public nonisolated func send<Source: AsyncSequence>(contentsOf source: Source) async throws(Source.Failure)
  where Source.Element == R.Action {
    var iterator = source.makeAsyncIterator()
    while let action = try await iterator.next(isolation: nil) { send(action) }
  }

  /// Sends an action and returns when all its effects have ended, or this task is cancelled.
  public nonisolated func dispatch(_ action: R.Action) async {
    await mailbox.waitUnlessCancelled { .action(action, $0) }
  }

  /// Returns when the queue is empty and no effect runs, or this task is cancelled. External mutations do not count.
  public nonisolated func idle() async { await mailbox.waitUnlessCancelled { .idle($0) } }

  /// Ends the store after everything that was sent before: effects are cancelled, sequences end, the state remains.
  public nonisolated func finish() async { await mailbox.wait { .finish($0) } }

  // MARK: - State

  /// The state after everything that was sent before.
  public nonisolated var state: R.State {
    get async {
      await mailbox.wait { .flush($0) }
      return cell.published
    }
  }

  /// The state at this moment. An action that was just sent may not be in it yet.
  public nonisolated var currentState: R.State { cell.published }

  /// Reads a part of the state at this moment, as `reduce` left it, without copying the state.
  ///
  /// The closure blocks the store: it must be quick and must not use the store.
  public nonisolated func read<Value: Sendable>(_ read: (borrowing R.State) throws -> Value) rethrows -> Value {
    try cell.read(read)
  }

  /// The state at this moment, as `reduce` left it, with the number of its last change for `transitions(after:)`.
  public nonisolated var snapshot: (state: R.State, sequence: Int) { cell.snapshot }

  /// The newest states: the current one first. A slow reader skips states.
  public nonisolated var states: States<R, R.State> { States(cell: cell, part: { $0 }, isSame: { _, _ in false }) }

  /// The newest values of a part of the state, without repetitions: the current one first. A slow reader skips values.
  ///
  /// - Parameter part: Blocks the store: it must be quick and must not use the store.
  public nonisolated func states<Value: Equatable & Sendable>(
    of part: @escaping @Sendable (R.State) -> Value
  ) -> States<R, Value> { States(cell: cell, part: part, isSame: { $0 == $1 }) }

  /// All values of a part of the state, without repetitions: the current one first. No value is skipped.
  ///
  /// - Parameter part: Called after each change. Blocks the store: it must be quick and must not use the store.
  public nonisolated func allStates<Value: Equatable & Sendable>(
    of part: @escaping @Sendable (R.State) -> Value
  ) -> AsyncStream<Value> { cell.values(of: part, isSame: { $0 == $1 }, as: { $0 }) }

  /// The value of each assignment to a pulse, equal ones too: the current one first. None is skipped.
  ///
  /// - Parameter pulse: Called after each change. Blocks the store: it must be quick and must not use the store.
  public nonisolated func pulses<Value: Sendable>(
    of pulse: @escaping @Sendable (R.State) -> Pulse<Value>
  ) -> AsyncStream<Value> {
    cell.values(of: pulse, isSame: { $0.valueUpdatedCount == $1.valueUpdatedCount }, as: { $0.value })
  }

  /// The changes from now on.
  ///
  /// - Parameter wants: Selects changes; the others are not retained for this reader.
  public nonisolated func transitions(
    matching wants: @escaping @Sendable (R.Mutation) -> Bool = { _ in true }
  ) -> Transitions<R.Mutation> {
    // Only a number that is too old gives nil.
    cell.transitions(after: nil, matching: wants) ?? Transitions(batches: AsyncStream { $0.finish() })
  }

  /// The changes after a number.
  ///
  /// - Parameter sequence: The number of the last change that the reader knows; 0 for none.
  /// - Returns: nil when a change after it is no longer retained; then begin again from `snapshot`.
  public nonisolated func transitions(
    after sequence: Int, matching wants: @escaping @Sendable (R.Mutation) -> Bool = { _ in true }
  ) -> Transitions<R.Mutation>? { cell.transitions(after: sequence, matching: wants) }

  /// A stream with an element whenever the state may be newer; several changes may give one element.
  package nonisolated var signals: AsyncStream<Void> { cell.signals() }

  /// The number of open sequences.
  package nonisolated var subscriberCount: Int { cell.subscriberCount }
}

extension ReactorStore: Hashable {
  /// Whether both are the same store.
  public static func == (a: ReactorStore, b: ReactorStore) -> Bool { a === b }

  /// By identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
