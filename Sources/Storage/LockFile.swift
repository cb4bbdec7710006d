internal import CFileCalls
internal import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The locks of one folder: single bytes of one empty file.
///
/// Each name has one byte, so there is no lock file per flow. The locks belong to the open file description
/// (`F_OFD_SETLK`). The system releases them when the process ends for any reason. There are no stale locks, and no
/// process ids that mean another process in another container. Two open file descriptions exclude each other even
/// inside one process. Users of the same description exclude each other with `held`.
///
/// The last user removes the file. Every user shares the presence byte, and only a user who gets that byte exclusively
/// removes the file. A user who opened the file just before finds that it has no link any more, and starts again.
final class LockFile: Sendable {
  static let name = ".reactor.lock"

  private static let presence: Int64 = 1 << 62

  private let folder: FileDescriptor
  private let file: FileDescriptor
  private let held = Mutex<Set<Int64>>([])

  /// Opens or creates the lock file of a folder. `path` is the folder's path for messages.
  init(in folder: FileDescriptor, at path: String) throws(ReactorError) {
    self.folder = folder
    let shown = path == "." ? LockFile.name : "\(path)/\(LockFile.name)"
    // A round fails only while another user removes the file, which takes microseconds.
    for _ in 0..<1000 {
      do {
        let file = try FileDescriptor.open(
          LockFile.name, in: folder, flags: O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o666)
        if try LockFile.enter(file, in: folder, at: shown) {
          self.file = file
          return
        }
      } catch let error as ReactorError {
        throw error
      } catch let error as SystemError {
        if error.code == ELOOP { throw .wrongKind(.link, at: shown, wanted: .regular) }
        throw .file("lock", shown, error)
      } catch {
        throw .persistence("cannot lock \(shown): \(error)", path: shown)
      }
      usleep(1000)
    }
    throw .file("lock", shown, SystemError(EBUSY))
  }

  deinit {
    // A failure is harmless: a lock file that remains is empty, and the next run uses it again.
    if reactor_lock_byte(file.number, LockFile.presence, 1) == 0 {
      try? folder.remove(LockFile.name)
    } else {
      // When two users leave at the same time, each finds that the other still shares the byte.
      _ = reactor_unlock_byte(file.number, LockFile.presence)
      LockFile.removeUnused(file, in: folder)
    }
  }

  /// Removes the lock file if no process uses it and it was not removed already. The caller must not hold a shared lock
  /// on a byte of the file.
  private static func removeUnused(_ file: FileDescriptor, in folder: FileDescriptor) {
    guard reactor_lock_byte(file.number, presence, 1) == 0, let own = try? file.status(), own.links > 0 else { return }
    try? folder.remove(name)
  }

  /// Takes a shared lock on the presence byte of an opened file. Returns false when the file was removed meanwhile.
  ///
  /// Removes the unused file again when a call fails.
  private static func enter(
    _ file: FileDescriptor, in folder: FileDescriptor, at shown: String
  ) throws -> Bool {
    do {
      let kind = try file.status().kind
      guard kind == .regular else { throw ReactorError.wrongKind(kind, at: shown, wanted: .regular) }
      let result = reactor_lock_byte(file.number, presence, 0)
      if result == 0, try file.status().links > 0 { return true }
      guard result == 0 || result == -EAGAIN else { throw SystemError(-result) }
      return false
    } catch let error as SystemError {
      // This call may have created the file.
      removeUnused(file, in: folder)
      throw error
    }
  }

  /// Returns the byte for a name.
  ///
  /// Two names of one folder share a byte with a probability of 2^-62. Then one name is locked while the other is
  /// written; nothing worse happens.
  static func offset(of name: String) -> Int64 { Int64(ContentHash.of(name.utf8) >> 2) }

  /// Locks a byte exclusively. Returns false when another holder has it, in this process or in another one.
  func acquire(_ offset: Int64) throws(SystemError) -> Bool {
    guard held.withLock({ $0.insert(offset).inserted }) else { return false }
    let result = reactor_lock_byte(file.number, offset, 1)
    if result == 0 { return true }
    _ = held.withLock { $0.remove(offset) }
    guard result == -EAGAIN else { throw SystemError(-result) }
    return false
  }

  /// Takes a shared lock on a byte, which several holders can have. Returns false while the byte is locked exclusively.
  ///
  /// The lock is not recorded in `held`. The caller must ensure that only one thread at a time uses it.
  func share(_ offset: Int64) throws(SystemError) -> Bool {
    let result = reactor_lock_byte(file.number, offset, 0)
    guard result == 0 || result == -EAGAIN else { throw SystemError(-result) }
    return result == 0
  }

  /// Releases the lock on a byte.
  func release(_ offset: Int64) {
    // The order matters: a user who finds the byte free in `held` must not lose its new lock to this unlock call.
    _ = reactor_unlock_byte(file.number, offset)
    _ = held.withLock { $0.remove(offset) }
  }

  /// Whether another open file description has locked the byte.
  func isHeldElsewhere(_ offset: Int64) -> Bool { reactor_byte_is_locked(file.number, offset) != 0 }
}
