/// Runs a reactor: the one place that changes its state.
///
/// Everything that it is told — actions, mutations of effects, mutations from outside — goes through one mailbox, first
/// in, first out, and is dealt with one after another. An action that is sent while another is dealt with waits, so
/// what they commit never mixes. A store is live from its creation until it is finished or let go; then its effects
/// are cancelled and its streams end.
public final actor ReactorStore<R: StateReactor> {
  /// The reactor.
  public nonisolated let reactor: R

  @usableFromInline nonisolated let cell: StateCell<R>
  @usableFromInline nonisolated let mailbox: Mailbox<R>
  @usableFromInline nonisolated let stubbed: StubRecord<R>?
  @usableFromInline let unhandled: @Sendable (any Error, R.Action) -> Void

  // What runs; see the extensions.
  @usableFromInline var batch: [Mailbox<R>.Letter] = []
  @usableFromInline var effects: [Int: RunningEffect<R>] = [:]
  @usableFromInline var effectsByID: [String: Set<Int>] = [:]
  @usableFromInline var dispatches: [Int: CheckedContinuation<Void, Never>] = [:]
  @usableFromInline var openDispatches: Set<Int> = []
  @usableFromInline var idlers: [CheckedContinuation<Void, Never>] = []
  @usableFromInline var tasks: [Int: Task<Void, Never>] = [:]
  @usableFromInline let sources: [Task<Void, Never>]
  @usableFromInline var isFinished = false
  @usableFromInline var lastEffect = 0
  @usableFromInline var lastDispatch = 0

  /// Starts a reactor.
  ///
  /// - Parameter history: how many of the last changes are kept for those who ask for `transitions(after:)`.
  /// - Parameter executor: where the store takes its turns and effects begin; nil for Swift's own threads. Who sends from
  ///   the threads of an executor gives that one, so that a turn needs no change of thread.
  /// - Parameter unhandled: is told the errors of effects for which the reactor has no mutation; by default they go to
  ///   standard error, a line each.
  public init(
    _ reactor: R, history: Int = 1024, executor: (any TaskExecutor)? = nil,
    unhandled: @escaping @Sendable (any Error, R.Action) -> Void = { UnhandledError.write($0, $1) }
  ) {
    self.init(
      reactor, state: reactor.initialState, history: history, executor: executor, unhandled: unhandled, stubbed: nil)
  }

  init(
    _ reactor: R, state: R.State, history: Int, executor: (any TaskExecutor)? = nil,
    unhandled: @escaping @Sendable (any Error, R.Action) -> Void, stubbed: StubRecord<R>?
  ) {
    self.reactor = reactor
    self.unhandled = unhandled
    self.stubbed = stubbed
    cell = StateCell(state, history: history)
    let mailbox = Mailbox<R>(executor: executor)
    self.mailbox = mailbox
    sources = stubbed == nil ? reactor.externalMutations.map { Self.listen(to: $0, mailbox) } : []
    mailbox.attach(self)
  }

  deinit {
    for task in tasks.values { task.cancel() }
    for source in sources { source.cancel() }
    mailbox.close()
    cell.finish()
  }

  // MARK: - Actions

  /// Asks for an action and goes on. Actions of one sender are taken in the order in which they were sent.
  @inlinable public nonisolated func send(_ action: R.Action) { mailbox.post(.action(action, dispatch: nil)) }

  /// Asks for the actions of a source as they come, until it ends; the store lives on, also when the source fails.
  public nonisolated func send<Source: AsyncSequence>(contentsOf source: Source) async throws(Source.Failure)
  where Source.Element == R.Action {
    var iterator = source.makeAsyncIterator()
    while let action = try await iterator.next(isolation: nil) { send(action) }
  }

  /// Asks for an action; returns when all that it does is over, or this task is cancelled.
  @inlinable public func dispatch(_ action: R.Action) async {
    lastDispatch += 1
    let number = lastDispatch
    openDispatches.insert(number)
    mailbox.enclose(.action(action, dispatch: number))
    drain()
    guard openDispatches.contains(number), !isFinished else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { dispatches[number] = $0 }
    } onCancel: {
      mailbox.post(.abandoned(dispatch: number))
    }
  }

  /// Returns when nothing is left to do: the mailbox is empty and no effect runs. Sources of external mutations do not
  /// count.
  public func idle() async {
    drain()
    guard !effects.isEmpty, !isFinished else { return }
    await withCheckedContinuation { idlers.append($0) }
  }

  /// Ends the store after everything that it was told so far: effects are cancelled, streams end, the last state stays.
  public func finish() {
    mailbox.enclose(.finish)
    drain()
  }

  // MARK: - State

  /// The state after everything that the store was told before.
  public var state: R.State { project(reducedState) }

  /// The state after everything that the store was told before, as `reduce` left it.
  @usableFromInline var reducedState: R.State {
    drain()
    return cell.snapshot.state
  }

  /// Something of the state at this moment, as `reduce` left it, without waiting for the store: what was sent a moment
  /// ago may not be in it yet. The reading holds up the store, so it must be quick, and it must not ask the store.
  @inlinable public nonisolated func read<Value: Sendable>(_ read: (borrowing R.State) throws -> Value) rethrows
    -> Value
  {
    try cell.read(read)
  }

  /// The state at this moment, as `reduce` left it, with the number of its last change: where a listener begins that
  /// goes on with `transitions(after:)`.
  public nonisolated var snapshot: (state: R.State, sequence: Int) { cell.snapshot }

  /// The state's values: the present one first, then the newest. See `States`.
  public nonisolated var states: States<R, R.State> {
    States(cell: cell, value: projection, isSame: nil)
  }

  /// The values of a part of the state, each other than the one before it.
  public nonisolated func states<Value: Equatable & Sendable>(
    of part: @escaping @Sendable (R.State) -> Value
  ) -> States<R, Value> {
    let projection = projection
    return States(cell: cell, value: { part(projection($0)) }, isSame: { $0 == $1 })
  }

  /// Every event of a pulse, lossless; the present value comes first.
  public nonisolated func pulses<Value: Sendable>(
    of pulse: @escaping @Sendable (R.State) -> Pulse<Value>
  ) -> AsyncStream<Value> {
    let projection = projection
    return cell.pulses { pulse(projection(copy $0)) }
  }

  /// The changes from now on, in order and lossless; ends with the store.
  ///
  /// - Parameter wants: which changes are wanted; a listener that asks for few holds little.
  public nonisolated func transitions(
    matching wants: @escaping @Sendable (R.Mutation) -> Bool = { _ in true }
  ) -> AsyncStream<Transition<R.Mutation>> {
    // Without a number to begin after, nothing can be missing.
    cell.transitions(after: nil, matching: wants) { $0 } ?? AsyncStream { $0.finish() }
  }

  /// The changes after one that was seen, in order and lossless; ends with the store.
  ///
  /// - Parameter sequence: the number of the last change seen; 0 for none.
  /// - Returns: nil when the change after it is not kept any more; then begin again from `snapshot`.
  public nonisolated func transitions(
    after sequence: Int, matching wants: @escaping @Sendable (R.Mutation) -> Bool = { _ in true }
  ) -> AsyncStream<Transition<R.Mutation>>? {
    cell.transitions(after: sequence, matching: wants) { $0 }
  }

  /// The changes after one that was seen, or from now on (nil), in another form; else as `transitions(after:)`.
  package nonisolated func transitions<Form>(
    after sequence: Int?, matching wants: @escaping @Sendable (R.Mutation) -> Bool,
    as form: @escaping @Sendable (Transition<R.Mutation>) -> Form
  ) -> AsyncStream<Form>? {
    cell.transitions(after: sequence, matching: wants, as: form)
  }

  /// A stream that has an element whenever the state may be newer; several changes may give one. Ends with the store.
  package nonisolated var bells: AsyncStream<Void> { cell.bell() }

  /// How many listen to the store, in whatever way.
  package nonisolated var listenerCount: Int { cell.listenerCount }

  func project(_ state: R.State) -> R.State { projection(state) }

  private nonisolated var projection: @Sendable (R.State) -> R.State {
    guard stubbed == nil else { return { $0 } }
    let reactor = reactor
    return { reactor.transform(state: $0) }
  }
}

extension ReactorStore: Hashable {
  /// Whether both are the same store.
  public static func == (a: ReactorStore, b: ReactorStore) -> Bool { a === b }

  /// By identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
