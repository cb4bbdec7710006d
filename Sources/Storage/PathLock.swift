public import ReactorCore
internal import Synchronization

/// The right to write one output path: held by one task of one process at a time.
///
/// Given back by `release`, with the last reference, or by the system when the process ends.
///
///     let lock = try await root.lock(path)
///     let staged = lock.stage()
///     try await staged.write(bytes)
///     let outcome = try await staged.publish(provenance)
///
/// On file systems without such locks, taking one is an error. Removing `.reactor.lock` or its folder by hand during runs
/// separates them: each one's file stays whole, and the last one to publish wins.
public final class PathLock: Sendable {
  /// The path that may be written.
  public let path: OutputPath

  let folder: OutputFolder
  let work: FileWork
  let offset: Int64
  /// Whether nothing stood under the path when it was taken; from then on only this lock's owner publishes there.
  public let isVacant: Bool
  let taker: OutputRoot.Taker?
  private let file: LockFile
  private let state = Atomic(true)
  private let isUsed = Atomic(false)

  /// Takes the lock; nil when another holder has it. Blocks on network file systems.
  init?(
    _ path: OutputPath, in folder: OutputFolder, work: FileWork, taker: OutputRoot.Taker? = nil
  ) throws(ReactorError) {
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

  /// Whether it has not been given back yet.
  public var isHeld: Bool { state.load(ordering: .acquiring) }

  /// Whether nothing has been published under the path since it was found vacant, as far as this lock can tell.
  var isUnused: Bool { isVacant && !isUsed.load(ordering: .relaxed) }

  /// Something is about to be published under the path.
  func noteUse() { isUsed.store(true, ordering: .relaxed) }

  /// Gives the right back; what is staged and not published can no longer be.
  public func release() {
    guard state.exchange(false, ordering: .acquiringAndReleasing) else { return }
    file.release(offset)
  }

  /// Begins a new content; nothing is visible under the path until it is published.
  public func stage() -> StagedFile { StagedFile(under: self) }

  /// A scratch file beside the output for what does not fit in memory.
  public func scratch() -> ScratchFile { ScratchFile(under: self) }

  /// Notes anew where the content comes from that is there already; the file itself is not touched.
  ///
  /// - Parameter stamp: the last one of this path, which the content was seen to match under this lock.
  public func restamp(_ stamp: Stamp, _ provenance: Provenance) async throws(ReactorError) {
    try await work.run { () throws(ReactorError) in
      guard self.isHeld else { throw .persistence("\(self.shown) is not locked any more", path: self.shown) }
      var stamp = stamp
      stamp.provenance = provenance
      try self.folder.append([(self.path.name, stamp)])
    }
  }

  /// Publishes a content that is all there.
  public func publish(_ bytes: [UInt8], _ provenance: Provenance) async throws(ReactorError) -> Publication {
    let staged = stage()
    try await staged.write(bytes)
    return try await staged.publish(provenance)
  }

  /// The path for messages.
  var shown: String { folder.path(of: path.name) }
}
