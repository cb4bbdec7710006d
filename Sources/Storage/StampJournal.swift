internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The stamps of one folder's files, in `.reactor.stamps`: one line per publication.
///
/// The last line of each name is valid. Lines are only appended, by one write call each time. Each line has its own
/// checksum, so incomplete or altered lines are skipped. A lost stamp costs one more fetch. Only announcements are
/// fsynced: an announcement is the stamp of content that is about to be published. The rename of the file then makes
/// content and stamp valid at the same moment.
///
/// Only one thread at a time may use the journal. Other processes append too, so every lookup first reads the added
/// lines.
struct StampJournal {
  static let name = ".reactor.stamps"
  private static let lineEnd = UInt8(ascii: "\n")
  /// The lock of the file: shared by processes that append, exclusive for a process that replaces the file.
  private static let lock = LockFile.offset(of: name)

  private let folder: FileDescriptor
  private let path: String
  private var stamps: [String: Stamp] = [:]
  // Stamps of contents that may not be published yet. If its content is published, an announced stamp is as valid as
  // the last stamp.
  private var announced: [String: Stamp] = [:]
  // The number of lines read, valid or not. If it is much larger than the number of stamps, the file is compacted.
  private var lineCount = 0
  // The file that was read. It stays open so that its identity is not reused. `offset` is the end of the part that was
  // read.
  private var reader: (file: FileDescriptor, status: FileStatus)?
  private var offset: Int64 = 0
  private var isInsideLongLine = false
  /// Whether a later version of the program has written a line. The file is then neither used nor changed.
  private var isLater = false
  private var writer: (file: FileDescriptor, status: FileStatus)?

  /// Creates the journal of a folder, without reading the file. `path` is the folder's path for messages.
  init(in folder: FileDescriptor, at path: String) {
    self.folder = folder
    self.path = path == "." ? StampJournal.name : "\(path)/\(StampJournal.name)"
  }

  /// Returns the last stamp of a file, and the stamp that was announced after it, if any. The content of the announced
  /// stamp is perhaps published already.
  ///
  /// The function does not check that the file's content matches either stamp.
  mutating func stamps(of file: String) throws(ReactorError) -> (last: Stamp?, announced: Stamp?) {
    try refresh()
    return (stamps[file], announced[file])
  }

  /// The error for a file of a later version of the program, beside which nothing may be published; nil otherwise.
  mutating func laterVersion() -> ReactorError? {
    do {
      try refresh()
      return nil
    } catch {
      return isLater ? error : nil
    }
  }

  /// Writes the stamps of new contents before the contents are published.
  ///
  /// - Parameter settled: earlier announced stamps whose contents were published; without this they would be lost
  mutating func announce(
    _ coming: [(name: String, stamp: Stamp)], settling settled: [(name: String, stamp: Stamp)], locks: LockFile,
    durability: Durability
  ) throws(ReactorError) {
    let lines =
      settled.map { $0.stamp.line(for: $0.name) } + coming.map { $0.stamp.line(for: $0.name, isAnnounced: true) }
    try write(lines, locks: locks, isSynced: durability == .durable)
  }

  /// Appends stamps, and compacts the file when it is too long. Later stamps replace earlier ones.
  mutating func append(
    _ added: [(name: String, stamp: Stamp)], locks: LockFile, durability: Durability
  ) throws(ReactorError) {
    try write(added.map { $0.stamp.line(for: $0.name) }, locks: locks, isSynced: false)
    guard lineCount >= 256, lineCount > 4 * stamps.count else { return }
    // After a failure the journal is longer than necessary; the next publication tries again.
    try? compact(locks: locks, durability: durability)
  }

  // MARK: - Reading

  private mutating func refresh() throws(ReactorError) {
    do {
      guard let current = try folder.status(of: StampJournal.name) else {
        forget()
        return
      }
      guard current.kind == .regular else { throw ReactorError.wrongKind(current.kind, at: path, wanted: .regular) }
      if let reader, reader.status.isSameFile(as: current), current.size >= offset {
        try take(from: reader.file, to: current.size)
      } else {
        forget()
        let file = try FileDescriptor.open(StampJournal.name, in: folder, flags: O_RDONLY | O_NONBLOCK)
        let status = try file.status()
        guard status.kind == .regular else { throw ReactorError.wrongKind(status.kind, at: path, wanted: .regular) }
        reader = (file, status)
        try take(from: file, to: status.size)
      }
    } catch let error as ReactorError {
      throw error
    } catch let error as SystemError {
      throw .file("read", path, error)
    } catch {
      throw .persistence("cannot read \(path): \(error)", path: path)
    }
    if isLater { throw StateVersion.stamps.refusal(at: path) }
  }

  private mutating func forget() {
    stamps = [:]
    announced = [:]
    lineCount = 0
    reader = nil
    offset = 0
    isInsideLongLine = false
    isLater = false
  }

  /// Reads the complete lines up to `end`; an incomplete line is read the next time.
  private mutating func take(from file: FileDescriptor, to end: Int64) throws(SystemError) {
    while offset < end {
      var bytes = [UInt8](repeating: 0, count: Int(min(end - offset, 1 << 18)))
      let count = try file.read(into: &bytes, at: offset)
      bytes.removeLast(bytes.count - count)
      guard let last = bytes.lastIndex(of: StampJournal.lineEnd) else {
        guard count > Stamp.maxLineBytes else { return }
        isInsideLongLine = true
        offset += Int64(count)
        continue
      }
      offset += Int64(last + 1)
      var lines = bytes[...last]
      if isInsideLongLine {
        isInsideLongLine = false
        lines = lines.drop { $0 != StampJournal.lineEnd }
        lineCount += 1
      }
      for line in lines.split(separator: StampJournal.lineEnd) { take(line) }
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    lineCount += 1
    guard let (name, stamp, isAnnounced) = Stamp.parse(line) else {
      if let form = Stamp.form(of: line), StateVersion.stamps.isLater(form) { isLater = true }
      return
    }
    if isAnnounced {
      announced[name] = stamp
    } else {
      stamps[name] = stamp
      announced[name] = nil
    }
  }

  // MARK: - Writing

  /// Appends lines under the shared lock of the file, then reads these lines and the lines that others have added.
  private mutating func write(_ lines: [[UInt8]], locks: LockFile, isSynced: Bool) throws(ReactorError) {
    // The bytes begin with a line end too, so that an incomplete line before them does not spoil the first line.
    let bytes = Array(([[]] + lines + [[]]).joined(separator: [StampJournal.lineEnd]))
    do {
      try share(locks)
      defer { locks.release(StampJournal.lock) }
      let writer = try openWriter()
      try writer.write(bytes)
      if isSynced { try writer.sync() }
    } catch {
      throw .file("write", path, error)
    }
    try refresh()
  }

  private func share(_ locks: LockFile) throws(SystemError) {
    // Only a compaction holds the lock exclusively, for milliseconds.
    var waits = 0
    while try !locks.share(StampJournal.lock) {
      waits += 1
      guard waits < 2000 else { throw SystemError(EBUSY) }
      usleep(1000)
    }
  }

  /// Returns the file that has the journal's name now, open for appending.
  private mutating func openWriter() throws(SystemError) -> FileDescriptor {
    if let writer, let current = try folder.status(of: StampJournal.name), writer.status.isSameFile(as: current) {
      return writer.file
    }
    writer = nil
    let file = try FileDescriptor.open(
      StampJournal.name, in: folder, flags: O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, mode: 0o666)
    let status = try file.status()
    guard status.kind == .regular else { throw SystemError(EISDIR) }
    writer = (file, status)
    return file
  }

  /// Replaces the file with one that has only the last line of each name whose file still exists, and all
  /// announcements.
  private mutating func compact(locks: LockFile, durability: Durability) throws(SystemError) {
    // Other processes are appending; the next publication tries again.
    guard try locks.acquire(StampJournal.lock) else { return }
    defer { locks.release(StampJournal.lock) }
    guard (try? refresh()) != nil, let current = try folder.status(of: StampJournal.name) else { return }
    var bytes: [UInt8] = []
    for (name, stamp) in stamps.sorted(by: { $0.key < $1.key }) where try folder.status(of: name) != nil {
      bytes += stamp.line(for: name) + [StampJournal.lineEnd]
    }
    for (name, stamp) in announced.sorted(by: { $0.key < $1.key }) {
      bytes += stamp.line(for: name, isAnnounced: true) + [StampJournal.lineEnd]
    }
    let temp = try TempFile(in: folder, lock: StampJournal.lock, isPrivate: true)
    try temp.file.write(bytes)
    try temp.adopt(current)
    if durability == .durable { try temp.file.sync() }
    try temp.publish(as: StampJournal.name)
    writer = nil
    forget()
  }
}
