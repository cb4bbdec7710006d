internal import Databases
internal import FlowModel
public import ReactorCore
public import Records
internal import Storage

/// One run of a flow, from its beginning to its end: look up what is persisted, else pull, then commit.
///
/// The steps are the three closures of a `ReactorFlow`, which a `Reactor` calls in this order.
extension DeclaredFlow {
  /// Runs the flow once.
  ///
  /// The run waits for the records of the parent flows, so the parent flows must run too.
  ///
  /// - Parameters:
  ///   - mode: whether the run may use the persisted result and the network
  ///   - queue: performs the save when the flow does not wait for it; the caller must drain the queue
  ///   - observer: called at each step of the run
  ///   - decorate: changes the closures of the run, for example with `mapNetwork`; nil to run them as declared. Child
  ///     flows then get the changed records, when the flow has ended.
  /// - Returns: how the run went; the report of a persisted result has the number of its records
  /// - Throws: the error of the flow, with secrets masked
  @concurrent public func execute(
    _ mode: FetchMode, queue: SaveQueue, observer: @escaping FlowObserver,
    decorating decorate: (@Sendable (ReactorFlow<RecordSet>) -> ReactorFlow<RecordSet>)? = nil
  ) async throws(ReactorError) -> FetchSummary {
    let began = environment.wallClock.milliseconds
    do throws(ReactorError) {
      let isPublished = try await isPublished(mode, observer)
      let flow = isPublished ? withoutExpiry : self
      var fetched = try await flow.run(isPublished ? .offline : mode, queue, masked(observer), decorate)
      await handOn(fetched, isStreamed: decorate == nil)
      // The records of a persisted result were counted when it was written.
      if fetched.source == .persistence {
        fetched.report = PruneReport(kept: fetched.model.count)
        fetched.age = fetched.model.writtenAt.map {
          .milliseconds(max(0, environment.wallClock.milliseconds(since: $0)))
        }
      }
      return fetched.summary
    } catch {
      let error = plan.origin.locations.located(masked(explained(error)))
      feed?.writer.fail(.parentFailed(plan.id, error))
      if mode != .offline { await noteFailure(error, since: began) }
      throw error
    }
  }

  /// Whether another process of this run has published the result, and ended before it could report that.
  ///
  /// The flow then uses this result. Another pull would append the same records again.
  private func isPublished(_ mode: FetchMode, _ observer: @escaping FlowObserver) async throws(ReactorError) -> Bool {
    guard mode != .offline, let run = await repeatedRun else { return false }
    let found: Provenance?
    do throws(ReactorError) {
      found = try await persistence(observer, isOffline: true)?.provenance(for: plan.request.resource)
    } catch {
      // While it is unknown whether a table has the records, they are not added again. A damaged file is replaced.
      guard plan.result.target?.table == nil else { throw error }
      found = nil
    }
    guard found?.run == run else { return false }
    try await completeCopies(masked(observer))
    return true
  }

  /// The flow with results that do not expire.
  private var withoutExpiry: DeclaredFlow {
    var plan = plan
    plan.result.expiresAfter = nil
    return DeclaredFlow(plan, in: environment)
  }

  /// The hash of the run's name if another process of the run may have published the result; nil otherwise.
  ///
  /// A flow with a cursor continues after the last published record, so it is always run.
  var repeatedRun: UInt64? {
    get async {
      guard let membership = environment.membership, !plan.isIncremental, await membership.isRepeated(id) else {
        return nil
      }
      return membership.runHash
    }
  }

  /// The error; if the server refuses the credentials, with a help about the `auth` of the flow.
  private func explained(_ error: ReactorError) -> ReactorError {
    guard error.status == 401 || error.status == 403, error.help == nil else { return error }
    var error = error
    error.key = error.key ?? "auth"
    let words = plan.auth.text(in: environment.state)?.split(separator: "\n").first
    error.help =
      words == nil
      ? "the flow sends no credentials: declare 'auth', or the headers that the server expects in 'http.headers'"
      : "the server refuses the credentials of 'auth' (\(words ?? "")): check the secret and its permissions"
    return error
  }

  private func run(
    _ mode: FetchMode, _ queue: SaveQueue, _ observer: @escaping FlowObserver,
    _ decorate: (@Sendable (ReactorFlow<RecordSet>) -> ReactorFlow<RecordSet>)?
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    let running = decorate == nil ? self : detached()
    var closures = running.flow(instruments(observer), asksForChanges: mode != .fresh, isOffline: mode == .offline)
    if let decorate { closures = decorate(closures) }
    let reactor = reactor(running: closures, queue, observer)
    if mode != .offline {
      do throws(ReactorError) {
        try await completeCopies(observer)
      } catch {
        observer(.failed(.save, error))
        if error.kind == .cancelled || plan.result.failsOnSaveError { throw error }
      }
    }
    if mode == .persistenceFirst, !isForced, let path = try await changedInput(observer) {
      let miss = PersistenceMiss.inputChanged(path)
      observer(.missed(miss))
      var fetched = try await reactor.fetchFromNetwork(plan.request.resource)
      if fetched.source != .persistence { fetched.miss = miss }
      return fetched
    }
    switch mode {
    case .persistenceFirst where !isForced: return try await reactor.fetch(plan.request.resource)
    case .persistenceFirst, .fresh, .revalidate: return try await reactor.fetchFromNetwork(plan.request.resource)
    case .offline: return try await fetchOffline(reactor)
    }
  }

  /// The input (a file, or rows of a database) that was changed, or was perhaps changed, after the result was
  /// persisted; nil without such an input.
  ///
  /// Without this check, a result that has not expired would be used, and new lines of the input would be ignored.
  private func changedInput(_ observer: @escaping FlowObserver) async throws(ReactorError) -> String? {
    guard plan.result.expiresAfter != nil, let each = plan.each else { return nil }
    // It is unknown when the rows of a database were changed.
    if let rows = each.rows { return rows }
    let files = each.files
    guard !files.isEmpty else { return nil }
    var written: Int64?
    if let output = plan.result.target?.path?.output {
      // Both times are those of file systems, whatever the clock of this process says.
      written = try? await environment.root.changeTime(of: output)
    } else {
      written = try? await persistence(observer)?.provenance(for: plan.request.resource)?.writtenAt
    }
    guard let written else { return nil }
    for path in files {
      if let changed = try? await environment.inputs.changeTime(of: path), changed > written { return path.text }
    }
    return nil
  }

  private func fetchOffline(_ reactor: Reactor<RecordSet>) async throws(ReactorError) -> Fetched<RecordSet> {
    do throws(ReactorError) {
      return try await reactor.fetch(plan.request.resource)
    } catch {
      guard error.kind == .noConnectivity else { throw error }
      let read = try await reactor.flow.loadFromPersistenceFlow(plan.request.resource)
      guard case .miss(let reason) = read else { throw error }
      throw ReactorError.persistence("offline, and \(reason)", path: plan.result.target?.text)
    }
  }

  /// The three closures of the flow. Their errors have secrets masked.
  ///
  /// - Parameter instruments: its observer gets events with masked texts
  func flow(
    _ instruments: FlowInstruments, asksForChanges: Bool = true, isOffline: Bool = false,
    responseModifier: ResponseModifier? = nil
  ) -> ReactorFlow<RecordSet> {
    let began = environment.wallClock.milliseconds
    let flow = ReactorFlow<RecordSet>(networkFlow: { (resource) async throws(ReactorError) -> Fetched<RecordSet> in
      if isOffline { throw .noConnectivity }
      do throws(ReactorError) {
        let network = try self.network(instruments)
        var fetched = try await self.asking(resource).pull(
          responseModifier.map { network.with($0.acceptingRuled) } ?? network, instruments,
          asksForChanges: asksForChanges, since: began)
        fetched.summary = fetched.summary.mapTexts { self.masked($0) }
        return fetched
      } catch {
        throw self.masked(error)
      }
    })
    guard let persistence = persistence(instruments.observer, isOffline: isOffline) else { return flow }
    return flow.persisting(in: MaskedPersistence(persistence: persistence, flow: self))
  }

  /// The flow with another resource instead of its own. The result belongs to that other resource.
  private func asking(_ resource: Resource) -> DeclaredFlow {
    resource == plan.request.resource
      ? self : DeclaredFlow(plan.asking(resource), in: environment, isDetached: isDetached)
  }

  // MARK: - Look up and commit

  /// The persistence of the result; nil when the flow persists nothing.
  ///
  /// An offline run uses any result that has not expired, even if other runs always request the records again.
  func persistence(_ observer: @escaping FlowObserver, isOffline: Bool = false) -> (any ResultPersistence)? {
    let first = firstPersistence(observer, isOffline: isOffline)
    guard !plan.result.copies.isEmpty else { return first }
    return first.map { CopiedPersistence(first: $0, flow: self, observer: observer) }
  }

  private func firstPersistence(_ observer: @escaping FlowObserver, isOffline: Bool) -> (any ResultPersistence)? {
    if let table = tableResult {
      return TablePersistence(
        result: table, plan: plan, key: { self.plan.key(of: $0) }, expiresAfter: plan.result.lifetime,
        asksEachRun: asksEachRun && !isOffline, credentials: plan.auth.digest, wallClock: environment.wallClock)
    }
    guard let path = plan.result.target?.path else { return nil }
    return InDiskPersistence(
      root: environment.root, path: { _ in path.output }, key: { self.plan.key(of: $0) },
      form: RecordSetForm(
        path: path, root: environment.root, schema: plan.records.schema, isAddition: plan.isRetrying,
        turn: { () async throws(ReactorError) in
          try await self.environment.turns.take(path.text, within: RecordSetForm.longestWait)
        }, observer: observer
      ).form,
      expiresAfter: plan.result.lifetime, asksEachRun: asksEachRun && !isOffline, credentials: plan.auth.digest,
      wallClock: environment.wallClock)
  }

  /// Whether each run sends its requests, even if a result is persisted. For an operator, `ok` then means that the
  /// server was asked in this run.
  private var asksEachRun: Bool { plan.result.expiresAfter == nil }

  // MARK: - Pull

  /// Sends the requests, reads their records and stages the result. With a checkpoint, complete slices are published
  /// before the end.
  ///
  /// - Parameter began: the start of the flow's run, in milliseconds since 1970
  private func pull(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    let turn = try await turn()
    do throws(ReactorError) {
      var fetched = try await pullParts(network, instruments, asksForChanges: asksForChanges, since: began)
      guard let turn else { return fetched }
      if case .staged(let staged) = fetched.model.content {
        fetched.model = fetched.model.restaged(as: HeldResult(staged: staged, turn: turn))
      } else {
        turn.end()
      }
      return fetched
    } catch {
      turn?.end()
      throw error
    }
  }

  private func pullParts(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    var checkpoint: Checkpoint?
    while true {
      let receiver: any ResultReceiver
      switch try await begin(instruments, since: began) {
      case .receiver(let begun): receiver = begun
      case .another(let result): return result
      }
      let staged: Fetched<RecordSet>
      let left: Checkpoint?
      do throws(ReactorError) {
        (staged, left) = try await pull(network, instruments, into: receiver, asksForChanges, after: checkpoint)
      } catch {
        guard let anew = try await startingAnew(after: error) else { throw error }
        instruments.observer(.missed(.positionUnknown))
        return try await anew.pullParts(network, instruments, asksForChanges: false, since: began)
      }
      guard var left else { return staged }
      try ReactorError.checkCancellation()
      let start = instruments.start(.save)
      try await environment.membership?.check(id)
      _ = try await persistence(instruments.observer)?.save(staged.model, for: plan.request.resource)
      left.cost = instruments.finish(.save, since: start)
      checkpoint = left
    }
  }

  /// Reads the records of the run, or of the slices until the next checkpoint, and stages the result.
  ///
  /// - Parameter checkpoint: where the run continues; nil at its start
  /// - Returns: the result, and where the run continues when it is published; nil at the end
  private func pull(
    _ network: Network, _ instruments: FlowInstruments, into receiver: any ResultReceiver, _ asksForChanges: Bool,
    after checkpoint: Checkpoint?
  ) async throws(ReactorError) -> (Fetched<RecordSet>, next: Checkpoint?) {
    var part = RunPart(flow: self, network: network, instruments: instruments, receiver: receiver, earlier: checkpoint)
    do throws(ReactorError) {
      part.rejected = try await openRejected()
      part.known = if let checkpoint { checkpoint.known } else { plan.isIncremental ? try await known() : nil }
      // With parents, each one has its own first run.
      if plan.each == nil, checkpoint == nil, let first = inFirstRun(part.known?.value) {
        part.flow = first
        part.known?.value = nil
      }
      if asksForChanges, plan.canAskForChanges {
        // Validators that were received with one user's credentials must not be sent with another user's.
        part.persisted = await receiver.unmodified { [plan] in
          plan.mayUse($0) && $0.credentials == plan.auth.digest
        }
      }
      let pull = FlowPull(part)
      return (try await pull.run(), pull.checkpoint)
    } catch {
      await receiver.discard()
      await part.rejected?.discard()
      throw part.flow.plan.origin.locations.located(error)
    }
  }

  // MARK: - Child flows

  /// Passes the result on to the child flows and ends their feed.
  ///
  /// - Parameter isStreamed: whether the child flows already got the records during the pull
  private func handOn(_ fetched: Fetched<RecordSet>, isStreamed: Bool) async {
    guard let feed else { return }
    if handsOnResult, case .failedTolerated(let error) = fetched.save {
      feed.writer.fail(.parentFailed(plan.id, error))
    } else if fetched.source == .network, !handsOnResult, isStreamed {
      feed.writer.finish(short: fetched.shortfall)
    } else {
      await feed.hand(on: fetched.model, short: fetched.shortfall)
    }
  }
}
