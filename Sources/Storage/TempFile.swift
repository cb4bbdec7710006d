internal import ByteCodings
internal import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that is written before it gets its final name. The last reference removes an unpublished file.
///
/// Where the target does not exist and the file system allows it, the file has no name until it is published. Then a
/// crash leaves no file behind, and the folder is changed once instead of three times.
///
/// Otherwise its name is `.reactor-tmp.LOCK.NUMBER`. LOCK is the byte of the folder's lock file that belongs to the
/// final name. The writer holds this byte from before the file is created until after the file is renamed or removed. A
/// file is therefore a leftover exactly when no process holds its byte.
final class TempFile: Sendable {
  private enum Name {
    case unnamed
    case named(String)
    case gone
  }

  private static let prefix = ".reactor-tmp."
  /// A random start per process. Each file gets the next number, so no name is used twice.
  private static let numbers = Atomic(UInt64.random(in: 0 ... .max))

  let file: FileDescriptor
  private let folder: FileDescriptor
  private let lock: Int64
  private let name: Mutex<Name>

  /// Creates a file with a name.
  ///
  /// - Parameter isPrivate: whether other users cannot access the file, at least until it adopts the permissions of the
  ///   file that it replaces. If false, the folder and the umask decide who may access it.
  init(in folder: FileDescriptor, lock: Int64, isPrivate: Bool) throws(SystemError) {
    let number = TempFile.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    let name = "\(TempFile.prefix)\(Hex.text(UInt64(lock))).\(Hex.text(number))"
    file = try FileDescriptor.open(
      name, in: folder, flags: O_RDWR | O_CREAT | O_EXCL, mode: isPrivate ? 0o600 : 0o666)
    self.folder = folder
    self.lock = lock
    self.name = Mutex(.named(name))
  }

  /// Creates a file without a name. Nil where the system or the file system does not support that.
  init?(unnamedIn folder: FileDescriptor, lock: Int64, isPrivate: Bool) throws(SystemError) {
    guard let file = try FileDescriptor.openUnnamed(in: folder, mode: isPrivate ? 0o600 : 0o666) else { return nil }
    self.folder = folder
    self.lock = lock
    self.file = file
    name = Mutex(.unnamed)
  }

  deinit { discard() }

  /// Adopts the permissions of the file that is to be replaced, and its owner and group as far as allowed.
  func adopt(_ existing: FileStatus) throws(SystemError) {
    let own = try file.status()
    var mode = existing.mode & 0o777
    if own.group != existing.group, fchown(file.number, uid_t.max, existing.group) != 0 {
      // The permissions of the old group must not apply to another group.
      mode &= ~0o070
    }
    if own.user != existing.user { _ = fchown(file.number, existing.user, gid_t.max) }
    try file.setMode(mode)
  }

  /// Whether the file has no name yet. Such a file can be published only where no file exists.
  var isUnnamed: Bool {
    name.withLock { if case .unnamed = $0 { true } else { false } }
  }

  /// Gives the file its final name. A file with a name replaces an existing target in one step.
  ///
  /// - Throws: the system's error; for a file without a name EEXIST when the target exists. After an error the file is
  ///   still unpublished.
  func publish(as target: String) throws(SystemError) {
    try name.withLock { (own: inout Name) throws(SystemError) in
      switch own {
      case .unnamed: try file.link(as: target, in: folder)
      case .named(let present): try folder.rename(present, to: target)
      case .gone: return
      }
      own = .gone
    }
  }

  /// Returns a copy that has a name and the same content.
  func named(isDurable: Bool, isPrivate: Bool) throws(SystemError) -> TempFile {
    let copy = try TempFile(in: folder, lock: lock, isPrivate: isPrivate)
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var offset: Int64 = 0
    while true {
      let count = try file.read(into: &piece, at: offset)
      if count == 0 { break }
      if count < piece.count { piece.removeLast(piece.count - count) }
      try copy.file.write(piece)
      offset += Int64(count)
    }
    if isDurable { try copy.file.sync() }
    return copy
  }

  /// Removes the file unless it is published.
  func discard() {
    name.withLock { own in
      // If this fails too, the next run removes the file.
      if case .named(let present) = own { try? folder.remove(present) }
      own = .gone
    }
  }

  /// Removes the files that dead writers left.
  ///
  /// A writer holds its byte from before its file is created until after the file is renamed or removed, and names are
  /// never used twice. A free byte therefore means that the writer of a listed file is dead.
  static func removeLeftovers(in folder: FileDescriptor, locks: LockFile) {
    for name in folder.names(withPrefix: prefix) {
      let parts = name.dropFirst(prefix.count).split(separator: ".")
      guard let lock = parts.first.flatMap({ UInt64($0, radix: 16) }), lock >> 62 == 0 else { continue }
      if !locks.isHeldElsewhere(Int64(lock)) { try? folder.remove(name) }
    }
  }
}

extension FileDescriptor {
  /// Returns the names in this folder that begin with a prefix. Empty when the folder cannot be listed.
  func names(withPrefix prefix: String) -> [String] {
    guard let listing = try? FileDescriptor.open(".", in: self, flags: O_RDONLY | O_DIRECTORY) else { return [] }
    // `closedir` closes the stream's own descriptor, so the stream gets a copy.
    let copy = fcntl(listing.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      _ = close(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: start.pointee)) {
          String(cString: $0)
        }
      }
      if name.utf8.starts(with: prefix.utf8) { names.append(name) }
    }
    return names
  }
}
