internal import CFileCalls
internal import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The locks of one folder: single bytes of one empty file, one byte per name instead of one file per flow.
///
/// The locks belong to the open file description (`F_OFD_SETLK`), so the system drops them when the process ends, however
/// it ends: there are no stale locks, and no process ids to misjudge across containers. Two descriptions exclude each
/// other even inside one process; users of this one are kept apart by `held`.
///
/// The last user removes the file. Every user shares the presence byte, and only a user who gets that byte exclusively
/// removes the file. A user who opened it just before finds it without a link and starts over.
final class LockFile: Sendable {
  static let name = ".reactor.lock"

  private static let presence: Int64 = 1 << 62

  private let folder: FileDescriptor
  private let file: FileDescriptor
  private let held = Mutex<Set<Int64>>([])

  /// Opens or creates the lock file of a folder; `path` is the folder's, for messages.
  init(in folder: FileDescriptor, at path: String) throws(ReactorError) {
    self.folder = folder
    let shown = path == "." ? LockFile.name : "\(path)/\(LockFile.name)"
    // A round is lost only to a user who is just removing the file, which takes microseconds.
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
    // Best effort: a lock file that stays behind is empty and is used again by the next run.
    if reactor_lock_byte(file.number, LockFile.presence, 1) == 0 {
      try? folder.remove(LockFile.name)
    } else {
      // Of two that leave together each finds the other still there.
      _ = reactor_unlock_byte(file.number, LockFile.presence)
      LockFile.removeUnused(file, in: folder)
    }
  }

  /// Removes the file when it is unused and still has its name. The caller shares no byte.
  private static func removeUnused(_ file: FileDescriptor, in folder: FileDescriptor) {
    guard reactor_lock_byte(file.number, presence, 1) == 0, let own = try? file.status(), own.links > 0 else { return }
    try? folder.remove(name)
  }

  /// Takes part in the use of an opened file; false when it was removed meanwhile. Leaves it when something fails.
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
      // Made just now, perhaps.
      removeUnused(file, in: folder)
      throw error
    }
  }

  /// The byte that stands for a name. Two names of one folder share a byte with a chance of 2^-62; then one counts as
  /// being written while the other is, and nothing worse.
  static func offset(of name: String) -> Int64 { Int64(ContentHash.of(name.utf8) >> 2) }

  /// Takes a byte; false when somebody else, here or in another process, has it.
  func acquire(_ offset: Int64) throws(SystemError) -> Bool {
    guard held.withLock({ $0.insert(offset).inserted }) else { return false }
    let result = reactor_lock_byte(file.number, offset, 1)
    if result == 0 { return true }
    _ = held.withLock { $0.remove(offset) }
    guard result == -EAGAIN else { throw SystemError(-result) }
    return false
  }

  /// Takes a byte together with others who share it; false while somebody has it alone. Not counted in `held`: the
  /// caller sees to it that it is used by one thread at a time.
  func share(_ offset: Int64) throws(SystemError) -> Bool {
    let result = reactor_lock_byte(file.number, offset, 0)
    guard result == 0 || result == -EAGAIN else { throw SystemError(-result) }
    return result == 0
  }

  /// Gives a byte back.
  func release(_ offset: Int64) {
    // In this order: a user who finds it free in `held` must not lose it to this unlocking.
    _ = reactor_unlock_byte(file.number, offset)
    _ = held.withLock { $0.remove(offset) }
  }

  /// Whether another open file description has the byte.
  func isHeldElsewhere(_ offset: Int64) -> Bool { reactor_byte_is_locked(file.number, offset) != 0 }
}
