public import ReactorCore
internal import Synchronization

/// The exclusive right to write one output path, held by one task of one process at a time.
///
/// The lock is released by `release`, when the last reference goes away, or when the process ends.
///
///     let lock = try await root.lock(path)
///     let staged = lock.stage()
///     try await staged.write(bytes)
///     let outcome = try await staged.publish(provenance)
///
/// A file system without such locks makes `lock` throw. If `.reactor.lock` or its folder is removed during runs,
/// the runs no longer exclude each other: each run's file stays complete, and the last publication wins.
public final class PathLock: Sendable {
  /// The path that may be written.
  public let path: OutputPath

  let folder: OutputFolder
  let work: FileWork
  let offset: Int64
  /// Whether the path did not exist when the lock was taken. From then on only this lock's owner publishes there.
  public let isVacant: Bool
  let taker: OutputRoot.Taker?
  private let file: LockFile
  private let state = Atomic(true)
  private let isUsed = Atomic(false)

  /// Takes the lock; nil when another holder has it. Blocks on network file systems.
  init?(
    _ path: OutputPath, in folder: OutputFolder, work: FileWork, taker: OutputRoot.Taker? = nil
  ) throws(ReactorError) {
    try path.loadCompression()
    let file = try folder.lockFile()
    let offset = LockFile.offset(of: path.name)
    do {
      guard try file.acquire(offset) else { return nil }
    } catch {
      throw .file("lock", folder.path(of: path.name), error)
    }
    do throws(ReactorError) {
      isVacant = try folder.status(of: path.name) == nil
    } catch {
      file.release(offset)
      throw error
    }
    self.path = path
    self.folder = folder
    self.work = work
    self.offset = offset
    self.taker = taker
    self.file = file
  }

  deinit { release() }

  /// Whether the lock has not been released yet.
  public var isHeld: Bool { state.load(ordering: .acquiring) }

  /// Whether the path did not exist when the lock was taken, and nothing was published with this lock since.
  var isUnused: Bool { isVacant && !isUsed.load(ordering: .relaxed) }

  /// Records that a file is about to be published at the path.
  func noteUse() { isUsed.store(true, ordering: .relaxed) }

  /// Releases the lock. Content that is staged but not published can no longer be published.
  public func release() {
    guard state.exchange(false, ordering: .acquiringAndReleasing) else { return }
    file.release(offset)
  }

  /// Begins new content; it is not visible at the path until it is published.
  public func stage() -> StagedFile { StagedFile(under: self) }

  /// Creates a scratch file in the same folder as the output, for data that does not fit in memory.
  public func scratch() -> ScratchFile { ScratchFile(under: self) }

  /// Writes a new stamp for the existing content. The file itself is not changed.
  ///
  /// - Parameter stamp: the last stamp of this path; the caller has checked under this lock that the content matches it
  public func restamp(_ stamp: Stamp, _ provenance: Provenance) async throws(ReactorError) {
    try await work.run { () throws(ReactorError) in
      guard self.isHeld else { throw .persistence("\(self.shown) is not locked any more", path: self.shown) }
      var stamp = stamp
      stamp.provenance = provenance
      try self.folder.append([(self.path.name, stamp)])
    }
  }

  /// Publishes complete content.
  public func publish(_ bytes: [UInt8], _ provenance: Provenance) async throws(ReactorError) -> Publication {
    let staged = stage()
    try await staged.write(bytes)
    return try await staged.publish(provenance)
  }

  /// The path for messages.
  var shown: String { folder.path(of: path.name) }
}
