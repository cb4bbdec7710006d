internal import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open folder below the root with what belongs to it: its lock file, its stamps, and the publications under way.
///
/// Its methods block; they are called on the threads of `FileWork` only.
final class OutputFolder: Sendable {
  /// From the working folder, for messages; `.` for that itself.
  let path: String
  let descriptor: FileDescriptor
  let durability: Durability
  /// Whether its files are for their owner alone.
  let isPrivate: Bool
  let commits = Mutex(CommitQueue())
  private let journal: Mutex<StampJournal>
  private let locks = Mutex<LockFile?>(nil)

  init(_ descriptor: FileDescriptor, path: String, durability: Durability, isPrivate: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.durability = durability
    self.isPrivate = isPrivate
    journal = Mutex(StampJournal(in: descriptor, at: path))
  }

  /// A file's path for messages.
  func path(of name: String) -> String { path == "." ? name : "\(path)/\(name)" }

  /// The folder's locks; the first use removes what killed runs left.
  func lockFile() throws(ReactorError) -> LockFile {
    try locks.withLock { (known: inout LockFile?) throws(ReactorError) -> LockFile in
      if let known { return known }
      let opened = try LockFile(in: descriptor, at: path)
      TempFile.removeLeftovers(in: descriptor, locks: opened)
      known = opened
      return opened
    }
  }

  /// The valid stamp of a file: the last one, or one that was announced since and whose content is there.
  func stamp(of name: String) throws(ReactorError) -> Stamp? {
    let known = try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
      try journal.stamps(of: name)
    }
    guard let announced = known.announced else { return known.last }
    return try holds(announced, name) ? announced : known.last
  }

  /// Announces contents before they are put in place, so that their stamps become valid with them.
  func announce(_ coming: [(name: String, stamp: Stamp)]) throws(ReactorError) {
    let locks = try lockFile()
    var settled: [(name: String, stamp: Stamp)] = []
    for (name, _) in coming {
      // A process that was killed just behind its rename has left this.
      let known = try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
        try journal.stamps(of: name)
      }
      if let announced = known.announced, try holds(announced, name) { settled.append((name, announced)) }
    }
    try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
      try journal.announce(coming, settling: settled, locks: locks, durability: durability)
    }
  }

  /// Whether a file's content is the one that a stamp speaks of.
  private func holds(_ stamp: Stamp, _ name: String) throws(ReactorError) -> Bool {
    guard let (file, status) = try open(name), status.size == stamp.size else { return false }
    return try StoredFile.measure(file, upTo: status.size, path: path(of: name)) == (stamp.size, stamp.hash)
  }

  /// Adds stamps to the journal.
  func append(_ stamps: [(name: String, stamp: Stamp)]) throws(ReactorError) {
    let locks = try lockFile()
    try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
      try journal.append(stamps, locks: locks, durability: durability)
    }
  }

  /// What stands under a name: nil or a regular file; anything else is refused.
  func status(of name: String) throws(ReactorError) -> FileStatus? {
    let status: FileStatus?
    do {
      status = try descriptor.status(of: name)
    } catch {
      throw .file("read", path(of: name), error)
    }
    if let status, status.kind != .regular {
      throw .wrongKind(status.kind, at: path(of: name), wanted: .regular)
    }
    return status
  }

  /// Opens a regular file for reading; nil without one.
  func open(_ name: String) throws(ReactorError) -> (file: FileDescriptor, status: FileStatus)? {
    do {
      // Not blocking: a pipe would otherwise wait for its writer.
      let file = try FileDescriptor.open(name, in: descriptor, flags: O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard status.kind == .regular else {
        throw ReactorError.wrongKind(status.kind, at: path(of: name), wanted: .regular)
      }
      if isPrivate, status.user != geteuid() || status.mode & 0o022 != 0 {
        let reason = "belongs to another user or can be written by others (remove it, or change that)"
        throw ReactorError.persistence("\(path(of: name)) \(reason)", path: path(of: name))
      }
      return (file, status)
    } catch let error as ReactorError {
      throw error
    } catch let error as SystemError {
      switch error.code {
      case ENOENT: return nil
      case ELOOP: throw .wrongKind(.link, at: path(of: name), wanted: .regular)
      case ENXIO: throw .wrongKind(.other, at: path(of: name), wanted: .regular)
      default: throw .file("read", path(of: name), error)
      }
    } catch {
      throw .persistence("cannot read \(path(of: name)): \(error)", path: path(of: name))
    }
  }
}
