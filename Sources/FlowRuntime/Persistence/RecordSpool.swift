internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

/// Where a flow's records go while its response arrives: a staged file that nobody sees until it is whole.
///
/// When failures to save are tolerated, the first one is retained for the save to report, and the records are read on: they
/// are still counted and checked. Used by one task at a time.
final class RecordSpool: Sendable {
  private struct State {
    var lock: PathLock?
    var staged: StagedFile?
    var failure: ReactorError?
  }

  let path: OutputPath
  let root: OutputRoot
  private let isTolerant: Bool
  private let state: Mutex<State>

  /// Takes the right to write a path.
  ///
  /// - Parameter wait: how another run that has it is waited for; nil refuses at once
  static func open(
    _ path: OutputPath, in root: OutputRoot, isTolerant: Bool, waiting wait: PathWait? = nil
  ) async throws(ReactorError) -> RecordSpool {
    do throws(ReactorError) {
      let lock = if let wait { try await wait.lock(path, in: root) } else { try await root.lock(path) }
      return RecordSpool(path, root, isTolerant, lock: lock, failure: nil)
    } catch {
      guard isTolerant, error.kind == .persistence else { throw error }
      return RecordSpool(path, root, isTolerant, lock: nil, failure: error)
    }
  }

  private init(_ path: OutputPath, _ root: OutputRoot, _ isTolerant: Bool, lock: PathLock?, failure: ReactorError?) {
    self.path = path
    self.root = root
    self.isTolerant = isTolerant
    state = Mutex(State(lock: lock, staged: lock?.stage(), failure: failure))
  }

  func write(_ bytes: [UInt8]) async throws(ReactorError) {
    guard let staged = state.withLock({ $0.failure == nil ? $0.staged : nil }) else { return }
    do throws(ReactorError) {
      try await staged.write(bytes)
    } catch {
      guard isTolerant, error.kind == .persistence else { throw error }
      state.withLock { state in
        state.failure = error
        state.staged = nil
      }
    }
  }

  /// A place for what does not fit in memory; nil when the result cannot be saved anyway.
  func scratch() -> ScratchFile? { state.withLock { $0.failure == nil ? $0.lock?.scratch() : nil } }

  /// Whether saving has failed already, and is tolerated.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Takes a failure on the way to the result: retained for the save when failures are tolerated, else thrown.
  func fail(_ error: ReactorError) async throws(ReactorError) {
    guard isTolerant, error.kind == .persistence else { throw error }
    let staged = state.withLock { state in
      state.failure = state.failure ?? error
      defer { state.staged = nil }
      return state.staged
    }
    await staged?.discard()
  }

  /// Puts the result in its place, or throws what went wrong on the way here. The path is given back either way.
  ///
  /// - Parameter afterwards: is called when the result is in its place, and before the path is given back
  func publish(
    _ provenance: Provenance, afterwards: (Publication) async -> Void = { _ in }
  ) async throws(ReactorError) -> Publication {
    defer { release() }
    let (staged, failure) = state.withLock { ($0.staged, $0.failure) }
    if let failure { throw failure }
    guard let staged else { throw .persistence("\(path) has already been published", path: path.text) }
    let publication = try await staged.publish(provenance)
    await afterwards(publication)
    return publication
  }

  /// Whether something stood under the path when it was taken.
  var hasEarlier: Bool { state.withLock { $0.failure == nil && $0.lock?.isVacant == false } }

  /// The result under the path, if it is intact and its stamp is wanted; else nil.
  func persisted(where isWanted: @escaping @Sendable (Stamp) -> Bool) async -> PersistedResult? {
    guard hasEarlier, let state = try? await root.look(at: path, refusal: { isWanted($0) ? nil : false }),
      case .intact(let file, let stamp) = state
    else { return nil }
    return PersistedResult(spool: self, file: file, stamp: stamp)
  }

  /// Notes anew where the result comes from that is there already. The path is given back either way.
  func restamp(_ stamp: Stamp, _ provenance: Provenance) async throws(ReactorError) {
    defer { release() }
    let (staged, lock) = state.withLock { ($0.staged, $0.lock) }
    await staged?.discard()
    guard let lock else { throw .persistence("\(path) is not locked any more", path: path.text) }
    try await lock.restamp(stamp, provenance)
  }

  /// Drops what was written and gives the path back.
  func discard() async {
    await state.withLock { $0.staged }?.discard()
    release()
  }

  private func release() {
    let lock = state.withLock { state in
      state.staged = nil
      defer { state.lock = nil }
      return state.lock
    }
    lock?.release()
  }
}

/// Records on their way to a file; readable once they are there.
final class StagedRecords: RecordFile {
  let spool: RecordSpool
  let report: PruneReport
  let validators: Validators
  /// What is to be remembered with the result; nil for flows that remember nothing.
  let state: CursorState?
  /// Rejected records that are put in their place after these: items that were asked for again and are done leave the
  /// file only when their responses are persisted.
  let rejected: RejectedRecords?

  init(
    _ spool: RecordSpool, _ report: PruneReport, _ validators: Validators = Validators(), _ state: CursorState? = nil,
    rejected: RejectedRecords? = nil
  ) {
    self.rejected = rejected
    self.state = state
    self.spool = spool
    self.report = report
    self.validators = validators
  }

  func body() async throws(ReactorError) -> ResponseBody {
    throw .persistence("\(spool.path) is not saved yet", path: spool.path.text)
  }
}
