internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

/// Stages a flow's records while the response arrives. The staged file is invisible until it is complete.
///
/// When failures to save are tolerated, the spool retains the first failure and the save reports it. The remaining
/// records are still read, counted and checked. Only one task at a time uses a spool.
final class RecordSpool: Sendable {
  private struct State {
    var lock: PathLock?
    var staged: StagedFile?
    var failure: ReactorError?
    /// Stages a result in several files; nil for a result in one file.
    var split: SplitSpool?
  }

  let path: OutputPath
  let root: OutputRoot
  private let isTolerant: Bool
  private let state: Mutex<State>

  /// Decides to which file a record goes; nil for a result in one file.
  var template: SplitTemplate? { state.withLock { $0.split?.template } }

  /// Takes the lock of a result's path, and stages the result in one file or in several.
  static func open(
    _ path: RecordPath, _ plan: MappingPlan, in root: OutputRoot, isTolerant: Bool, waiting wait: PathWait? = nil
  ) async throws(ReactorError) -> RecordSpool {
    let spool = try await open(path.output, in: root, isTolerant: isTolerant, waiting: wait)
    spool.state.withLock { $0.split = SplitSpool(path, plan, in: root) }
    return spool
  }

  /// Takes the lock of a path.
  ///
  /// - Parameter wait: how to wait for another run that has the lock; nil to fail immediately
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

  /// Appends records, each with the path of the file to which it belongs.
  func append(_ frames: [UInt8]) async throws(ReactorError) {
    guard let split = state.withLock({ $0.failure == nil ? $0.split : nil }) else { return }
    do throws(ReactorError) {
      try await split.stage.append(frames)
    } catch {
      try await fail(error)
    }
  }

  /// Creates a temporary file for records that do not fit in memory; nil when saving has already failed.
  func scratch() -> ScratchFile? { state.withLock { $0.failure == nil ? $0.lock?.scratch() : nil } }

  /// Whether saving has already failed and the failure is tolerated.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Retains a failure for the save if failures are tolerated; otherwise throws it.
  func fail(_ error: ReactorError) async throws(ReactorError) {
    guard isTolerant, error.kind == .persistence else { throw error }
    let staged = state.withLock { state in
      state.failure = state.failure ?? error
      defer { state.staged = nil }
      return state.staged
    }
    await staged?.discard()
    await state.withLock { $0.split }?.stage.discard()
  }

  /// Publishes the result, or throws the failure that was retained. Releases the path in both cases.
  ///
  /// - Parameter afterwards: called after the result is published and before the path is released
  func publish(
    _ provenance: Provenance, afterwards: (Publication) async -> Void = { _ in }
  ) async throws(ReactorError) -> Publication {
    defer { release() }
    let (staged, failure, split) = state.withLock { ($0.staged, $0.failure, $0.split) }
    if let failure { throw failure }
    guard let staged else { throw .persistence("\(path) has already been published", path: path.text) }
    let publication: Publication
    if let stage = split?.stage {
      let manifest: SplitManifest
      do throws(ReactorError) {
        manifest = try await stage.finish()
      } catch {
        await stage.discard()
        throw error
      }
      publication = try await stage.publish(manifest, by: staged, provenance)
    } else {
      publication = try await staged.publish(provenance)
    }
    await afterwards(publication)
    return publication
  }

  /// Whether a file existed under the path when the lock was taken.
  var hasEarlier: Bool { state.withLock { $0.failure == nil && $0.lock?.isVacant == false } }

  /// The result under the path if it is intact and its stamp is accepted; else nil.
  func persisted(where isWanted: @escaping @Sendable (Stamp) -> Bool) async -> (file: StoredFile, stamp: Stamp)? {
    guard hasEarlier, let state = try? await root.lookUp(path, refusal: { isWanted($0) ? nil : false }),
      case .intact(let file, let stamp) = state
    else { return nil }
    return (file, stamp)
  }

  /// Updates the provenance of the existing result. Releases the path in all cases.
  func restamp(_ stamp: Stamp, _ provenance: Provenance) async throws(ReactorError) {
    defer { release() }
    let (staged, lock) = state.withLock { ($0.staged, $0.lock) }
    await staged?.discard()
    guard let lock else { throw .persistence("\(path) is not locked any more", path: path.text) }
    try await lock.restamp(stamp, provenance)
  }

  /// Discards the staged records and releases the path.
  func discard() async {
    let (staged, split) = state.withLock { ($0.staged, $0.split) }
    await staged?.discard()
    await split?.stage.discard()
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
