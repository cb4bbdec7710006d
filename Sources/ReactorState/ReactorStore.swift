/// Runs a reactor and is the only object that changes its state.
///
/// Actions, mutations of effects and external mutations go through one queue and are handled one after another. An
/// action that is sent while another action is handled waits, so their mutations never mix. A store works from its
/// creation until it is finished or released. Its effects are then cancelled and its sequences end.
public final actor ReactorStore<R: StateReactor> {
  /// The reactor.
  public nonisolated let reactor: R

  nonisolated let cell: StateCell<R>
  nonisolated let mailbox: Mailbox<R>
  /// Receives the actions instead of the reactor when a view is tested; nil otherwise.
  let stub: (@Sendable (R.Action) -> Void)?
  let unhandled: @Sendable (any Error, R.Action) -> Void
  let sources: [Task<Void, Never>]

  var effects: [Int: RunningEffect<R>] = [:]
  /// The tasks of the running effects, by the same numbers as in `effects`. They are separate because `deinit` may not
  /// access `effects`.
  var tasks: [Int: Task<Void, Never>] = [:]
  var lastEffect = 0
  var idlers: [Mailbox<R>.Completion] = []
  var isFinished = false

  /// Creates a store and starts the reactor.
  ///
  /// - Parameter history: The number of recent changes that are retained for `transitions(after:)`.
  /// - Parameter executor: The executor on which the store handles messages and on which its effects start; nil for
  ///   Swift's default threads. The store runs elsewhere only when an effect emits with `await` from a task with
  ///   another executor.
  /// - Parameter unhandled: Called with an effect's error when the reactor has no mutation for that error. The default
  ///   writes one line to standard error.
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

  /// Creates a store for tests of views: it passes actions to `stub` and calls no function of the reactor.
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

  /// Starts a task that sends the mutations of an external source to the store.
  ///
  /// The task retains the mailbox but not the store.
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

  /// Returns when the queue is empty and no effect runs, or when this task is cancelled.
  ///
  /// It does not wait for external mutations.
  public nonisolated func idle() async { await mailbox.waitUnlessCancelled { .idle($0) } }

  /// Ends the store after it has handled all earlier messages.
  ///
  /// Its effects are cancelled, its sequences end, and its state can still be read.
  public nonisolated func finish() async { await mailbox.wait { .finish($0) } }

  // MARK: - State

  /// The state after all earlier messages are handled.
  public nonisolated var state: R.State {
    get async {
      await mailbox.wait { .flush($0) }
      return cell.published
    }
  }

  /// The state at this moment. It perhaps does not include the effect of an action that was just sent.
  public nonisolated var currentState: R.State { cell.published }

  /// Reads a part of the current state without copying the state.
  ///
  /// This is the state as `reduce` left it, before `transform(state:)`.
  ///
  /// The closure blocks the store. It must be quick and must not use the store.
  public nonisolated func read<Value: Sendable>(_ read: (borrowing R.State) throws -> Value) rethrows -> Value {
    try cell.read(read)
  }

  /// The current state, with the number of its last change for `transitions(after:)`.
  ///
  /// This is the state as `reduce` left it, before `transform(state:)`.
  public nonisolated var snapshot: (state: R.State, sequence: Int) { cell.snapshot }

  /// The newest states; the current state comes first. A slow reader skips states.
  public nonisolated var states: States<R, R.State> { States(cell: cell, part: { $0 }, isSame: { _, _ in false }) }

  /// The newest values of a part of the state, without repetitions; the current value comes first.
  ///
  /// A slow reader skips values.
  /// - Parameter part: Returns the part. It blocks the store, so it must be quick and must not use the store.
  public nonisolated func states<Value: Equatable & Sendable>(
    of part: @escaping @Sendable (R.State) -> Value
  ) -> States<R, Value> { States(cell: cell, part: part, isSame: { $0 == $1 }) }

  /// All values of a part of the state, without repetitions; the current value comes first. No value is skipped.
  ///
  /// - Parameter part: Returns the part after each change. It blocks the store, so it must be quick and must not use
  ///   the store.
  public nonisolated func allStates<Value: Equatable & Sendable>(
    of part: @escaping @Sendable (R.State) -> Value
  ) -> AsyncStream<Value> { cell.values(of: part, isSame: { $0 == $1 }, as: { $0 }) }

  /// The value of each assignment to a pulse, even of equal values; the current value comes first. No value is skipped.
  ///
  /// - Parameter pulse: Returns the pulse after each change. It blocks the store, so it must be quick and must not use
  ///   the store.
  public nonisolated func pulses<Value: Sendable>(
    of pulse: @escaping @Sendable (R.State) -> Pulse<Value>
  ) -> AsyncStream<Value> {
    cell.values(of: pulse, isSame: { $0.valueUpdatedCount == $1.valueUpdatedCount }, as: { $0.value })
  }

  /// The changes from now on.
  ///
  /// - Parameter wants: Returns true for each change that the reader wants; the reader gets no other changes.
  public nonisolated func transitions(
    matching wants: @escaping @Sendable (R.Mutation) -> Bool = { _ in true }
  ) -> Transitions<R.Mutation> {
    // The result is nil only for a number that is too old, and there is no number here.
    cell.transitions(after: nil, matching: wants) ?? Transitions(batches: AsyncStream { $0.finish() })
  }

  /// The changes after the change with a given number.
  ///
  /// - Parameter sequence: The number of the last change that the reader knows; 0 for none.
  /// - Returns: nil when a later change is no longer retained; the reader must then start again from `snapshot`.
  public nonisolated func transitions(
    after sequence: Int, matching wants: @escaping @Sendable (R.Mutation) -> Bool = { _ in true }
  ) -> Transitions<R.Mutation>? { cell.transitions(after: sequence, matching: wants) }

  /// A stream with an element when the state may have changed; one element may stand for several changes.
  package nonisolated var signals: AsyncStream<Void> { cell.signals() }

  /// The number of sequences of states, changes or signals that are being read from this store.
  package nonisolated var subscriberCount: Int { cell.subscriberCount }
}

extension ReactorStore: Hashable {
  /// Whether both values are the same store.
  public static func == (a: ReactorStore, b: ReactorStore) -> Bool { a === b }

  /// Hashes by identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
