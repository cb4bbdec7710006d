internal import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open folder below the root, with its lock file, its stamps and its running publications.
///
/// The methods block. Call them only on the threads of `FileWork`.
final class OutputFolder: Sendable {
  /// The path from the working folder, for messages. `.` is the working folder itself.
  let path: String
  let descriptor: FileDescriptor
  let durability: Durability
  /// Whether only the owner may access the files.
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

  /// Returns the path of a file for messages.
  func path(of name: String) -> String { path == "." ? name : "\(path)/\(name)" }

  /// Returns the folder's locks. The first call removes the files that killed runs left.
  func lockFile() throws(ReactorError) -> LockFile {
    try locks.withLock { (known: inout LockFile?) throws(ReactorError) -> LockFile in
      if let known { return known }
      let opened = try LockFile(in: descriptor, at: path)
      TempFile.removeLeftovers(in: descriptor, locks: opened)
      known = opened
      return opened
    }
  }

  /// Returns the valid stamp of a file.
  ///
  /// That is the stamp that was announced before a publication if the file has its content, else the last stamp.
  func stamp(of name: String) throws(ReactorError) -> Stamp? {
    let known = try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
      try journal.stamps(of: name)
    }
    guard let announced = known.announced else { return known.last }
    return try holds(announced, name) ? announced : known.last
  }

  /// Writes the stamps of new contents before the contents are published.
  ///
  /// Each stamp then becomes valid at the same moment as its content.
  func announce(_ coming: [(name: String, stamp: Stamp)]) throws(ReactorError) {
    let locks = try lockFile()
    var settled: [(name: String, stamp: Stamp)] = []
    for (name, _) in coming {
      // A process that was killed directly after its rename leaves an announced stamp whose content is published.
      let known = try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
        try journal.stamps(of: name)
      }
      if let announced = known.announced, try holds(announced, name) { settled.append((name, announced)) }
    }
    try journal.withLock { (journal: inout StampJournal) throws(ReactorError) in
      try journal.announce(coming, settling: settled, locks: locks, durability: durability)
    }
  }

  /// The error for stamps of a later version of the program, beside which nothing may be published; nil otherwise.
  func laterVersion() -> ReactorError? { journal.withLock { $0.laterVersion() } }

  /// Whether a file's content matches a stamp.
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

  /// Returns the status of a regular file. Nil when the name does not exist.
  ///
  /// Throws for anything other than a regular file.
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

  /// Opens a regular file for reading; nil when it does not exist.
  func open(_ name: String) throws(ReactorError) -> (file: FileDescriptor, status: FileStatus)? {
    do {
      // O_NONBLOCK, because opening a pipe would otherwise wait for its writer.
      let file = try FileDescriptor.open(name, in: descriptor, flags: O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard status.kind == .regular else {
        throw ReactorError.wrongKind(status.kind, at: path(of: name), wanted: .regular)
      }
      if isPrivate, status.user != geteuid() || status.mode & 0o022 != 0 {
        let reason =
          "belongs to another user or can be written by others (remove the file, or change its owner or mode)"
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
