internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// Reads the records of the run, or of the slices until the next checkpoint, and stages the result.
  ///
  /// - Parameters:
  ///   - began: the start of the flow's run, in milliseconds since 1970
  ///   - checkpoint: where the run goes on; nil at its start
  /// - Returns: the result, and where the run goes on when it is published; nil at the end
  func part(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64,
    after checkpoint: Checkpoint?
  ) async throws(ReactorError) -> (Fetched<RecordSet>, next: Checkpoint?) {
    let receiver: any ResultReceiver
    switch try await begin(instruments, since: began) {
    case .receiver(let begun): receiver = begun
    case .another(let result): return (result, nil)
    }
    var rejected: RejectedRecords?
    var asking = self
    do throws(ReactorError) {
      if let target = plan.result.rejected {
        rejected = try await RejectedRecords.open(
          try await rejectedPlace(target), of: plan.id, isStrict: plan.records.isStrict, keeping: retainedRejected,
          mask: { self.masked($0) })
      }
      var known = if let checkpoint { checkpoint.known } else { plan.isIncremental ? try await known() : nil }
      // With parents, each one has its own first run.
      if plan.each == nil, checkpoint == nil, let first = inFirstRun(known?.value) {
        asking = first
        known?.value = nil
      }
      let pull = FlowPull(
        asking, by: network, into: receiver, rejected, instruments,
        unless: asksForChanges && plan.canAskForChanges ? await unmodified(receiver) : nil, known, after: checkpoint)
      return (try await pull.run(), pull.checkpoint)
    } catch {
      await receiver.discard()
      await rejected?.discard()
      throw asking.plan.origin.locations.located(error)
    }
  }

  /// The flow as it requests in its first run; nil if that is over, or if it requests like every other run.
  ///
  /// - Parameter position: the remembered value of the cursor, of the flow or of one parent
  func inFirstRun(_ position: String?) -> DeclaredFlow? {
    guard let firstRun, plan.since == nil, !plan.isRetrying else { return nil }
    return position.map { isTooOld($0) } ?? true ? firstRun : nil
  }

  /// Whether the server may not have all changes since a position any more.
  private func isTooOld(_ position: String) -> Bool {
    guard let age = plan.firstRun?.cursor?.againAfter, let kind = plan.cursor?.kind,
      let oldest = Cursor.Value.instant(environment.wallClock.now).moved(by: age, backwards: true)
    else { return false }
    return Cursor.Value(position, of: kind).map { $0 < oldest } ?? false
  }

  /// Takes the place of the rejected records: the lock of the file.
  private func rejectedPlace(_ target: ResolvedTarget) async throws(ReactorError) -> any RejectedPlace {
    switch target {
    case .file(let path): try await RecordSpool.open(path.output, in: environment.root, isTolerant: false)
    case .table(let table): RejectedTable(table, of: plan.id, in: environment)
    }
  }

  /// The persisted result for a conditional request; nil without one.
  private func unmodified(_ receiver: any ResultReceiver) async -> UnmodifiedResult? {
    // Validators that were received with one user's credentials must not be sent with another user's.
    await receiver.unmodified { [plan] in plan.mayUse($0) && $0.credentials == plan.auth.digest }
  }

  /// The records of an intact result; nil when one of its files is not intact.
  func records(of file: StoredFile) async -> (any RecordFile)? {
    try? await plan.result.target?.path?.records(of: file, in: environment.root, plan.records.schema.plan)
  }
}
