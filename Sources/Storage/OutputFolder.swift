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
  /// Paths of this folder that are locked for somebody.
  private let users = Atomic(0)

  init(_ descriptor: FileDescriptor, path: String, durability: Durability, isPrivate: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.durability = durability
    self.isPrivate = isPrivate
    journal = Mutex(StampJournal(in: descriptor, at: path))
  }

  /// A file's path for messages.
  func path(of name: String) -> String { path == "." ? name : "\(path)/\(name)" }

  /// The folder's locks; the first time, what runs that were killed left behind is removed.
  func lockFile() throws(ReactorError) -> LockFile {
    try locks.withLock { (known: inout LockFile?) throws(ReactorError) -> LockFile in
      if let known { return known }
      let opened = try LockFile(in: descriptor, at: path)
      TempFile.removeLeftovers(in: descriptor, locks: opened)
      known = opened
      return opened
    }
  }

  /// Whether a stamp of this name was there at the last look at the journal; does not look again.
  func remembersStamp(of name: String) -> Bool { journal.withLock { $0.remembers(name) } }

  /// The stamp of a file that counts: the last one, or one that was announced since and whose content is there.
  func stamp(of name: String) throws(ReactorError) -> Stamp? {
    let known = try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
      try journal.stamps(of: name)
    }
    guard let announced = known.announced else { return known.last }
    return try holds(announced, name) ? announced : known.last
  }

  /// Tells of contents before they are put in place, so that what is remembered of them becomes valid with them.
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
      let isGoingOn = users.load(ordering: .relaxed) > 1
      try journal.append(stamps, isGoingOn: isGoingOn, locks: locks, durability: durability)
    }
  }

  /// Notes that a path was locked: as long as several are, stamps are to come one soon after the other.
  func enter() { users.add(1, ordering: .relaxed) }

  /// Notes that a path's lock was given back.
  func leave() {
    guard users.subtract(1, ordering: .relaxed).newValue < 2, let locks = locks.withLock({ $0 }) else { return }
    journal.withLock { $0.leave(locks) }
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

  /// Opens a regular file for reading; nil when there is none.
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
