internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The stamps of one folder's files, in `.reactor.stamps`: one line per publication, the last one of a name counts.
///
/// Lines are only ever appended, by one write each time, and each bears its own check, so a torn or altered one is passed
/// over. A stamp that is lost costs one more fetch, and nothing is fsynced but announcements: what is remembered of a
/// content that is about to be put in place, so that the rename makes both valid at once. Used by one thread at a time;
/// other processes append too, so every look takes in what was added since.
struct StampJournal {
  static let name = ".reactor.stamps"

  private let folder: FileDescriptor
  private let path: String
  private var stamps: [String: Stamp] = [:]
  // Of contents that may not have come; they count beside the last stamps, if their contents are there.
  private var announced: [String: Stamp] = [:]
  // Lines taken in, good or not; many more than stamps means that compaction is due.
  private var lineCount = 0
  // The file that was read, kept open so that its identity is not given to another one; how far it was read.
  private var reader: FileDescriptor?
  private var readerStatus: FileStatus?
  private var offset: Int64 = 0
  private var isInsideLongLine = false
  private var writer: FileDescriptor?
  private var writerStatus: FileStatus?
  // Whether the journal's byte is shared: then nobody replaces the file.
  private var isShared = false

  /// The journal of a folder whose path is `path` in messages; reads nothing yet.
  init(in folder: FileDescriptor, at path: String) {
    self.folder = folder
    self.path = path == "." ? StampJournal.name : "\(path)/\(StampJournal.name)"
  }

  /// Whether a stamp of this file has been read.
  func remembers(_ file: String) -> Bool { stamps[file] != nil || announced[file] != nil }

  /// The last stamp of a file, whether or not the file's content still is the one it speaks of.
  mutating func stamp(of file: String) throws(ReactorError) -> Stamp? {
    try refresh()
    return stamps[file]
  }

  /// The last stamp, and that of a content which was announced since and may have come.
  mutating func stamps(of file: String) throws(ReactorError) -> (last: Stamp?, announced: Stamp?) {
    try refresh()
    return (stamps[file], announced[file])
  }

  /// Tells of contents before they are put in place.
  ///
  /// - Parameter settled: stamps that were announced earlier and whose contents did come; they would be lost else
  mutating func announce(
    _ coming: [(name: String, stamp: Stamp)], settling settled: [(name: String, stamp: Stamp)], locks: LockFile,
    durability: Durability
  ) throws(ReactorError) {
    var bytes: [UInt8] = [UInt8(ascii: "\n")]
    for (name, stamp) in settled { bytes += stamp.line(for: name) + [UInt8(ascii: "\n")] }
    for (name, stamp) in coming { bytes += stamp.line(for: name, isAnnounced: true) + [UInt8(ascii: "\n")] }
    do {
      _ = try write(bytes, locks: locks)
      if durability == .durable { try writer?.sync() }
      leave(locks)
    } catch {
      throw .file("write", path, error)
    }
    try refresh()
  }

  /// Adds stamps, later ones counting over earlier ones, and compacts the file when it has grown too long.
  ///
  /// - Parameter isGoingOn: whether more are to come soon; the file's byte is then shared until `leave`, unless the file
  ///   has grown too long, so that one of those who write may replace it
  mutating func append(
    _ added: [(name: String, stamp: Stamp)], isGoingOn: Bool, locks: LockFile, durability: Durability
  ) throws(ReactorError) {
    // Begins with a line end too: what somebody left torn before it cannot spoil the first line.
    var bytes: [UInt8] = [UInt8(ascii: "\n")]
    bytes.reserveCapacity(added.count * 192)
    for (name, stamp) in added {
      bytes += stamp.line(for: name)
      bytes.append(UInt8(ascii: "\n"))
    }
    let isRead: Bool
    do {
      let now = try write(bytes, locks: locks)
      isRead = passOver(bytes.count, now)
    } catch {
      throw .file("write", path, error)
    }
    if isRead {
      for (name, stamp) in added { take(name, stamp, isAnnounced: false) }
      lineCount += added.count
    } else {
      try refresh()
    }
    let isTooLong = lineCount >= 256 && lineCount > 4 * stamps.count
    if isTooLong || !isGoingOn { leave(locks) }
    if isTooLong {
      // A failure leaves the journal as it is, longer than need be; the next publication tries again.
      try? compact(locks: locks, durability: durability)
    }
  }

  // MARK: - Reading

  private mutating func refresh() throws(ReactorError) {
    do {
      guard let current = try folder.status(of: StampJournal.name) else {
        forget()
        return
      }
      guard current.kind == .regular else { throw ReactorError.wrongKind(current.kind, at: path, wanted: .regular) }
      if let reader, readerStatus?.isSameFile(as: current) == true, current.size >= offset {
        if current.size == offset { return }
        try take(from: reader, to: current.size)
      } else {
        forget()
        let reader = try FileDescriptor.open(StampJournal.name, in: folder, flags: O_RDONLY | O_NONBLOCK)
        let opened = try reader.status()
        guard opened.kind == .regular else { throw ReactorError.wrongKind(opened.kind, at: path, wanted: .regular) }
        self.reader = reader
        readerStatus = opened
        try take(from: reader, to: opened.size)
      }
    } catch let error as ReactorError {
      throw error
    } catch let error as SystemError {
      throw .file("read", path, error)
    } catch {
      throw .persistence("cannot read \(path): \(error)", path: path)
    }
  }

  /// Passes over lines that were just written, where they are all that came since the last look; false where they must
  /// be read, because others wrote too.
  private mutating func passOver(_ count: Int, _ now: FileStatus) -> Bool {
    guard let readerStatus, !isInsideLongLine, now.isSameFile(as: readerStatus), now.size == offset + Int64(count)
    else { return false }
    offset = now.size
    return true
  }

  private mutating func forget() {
    stamps = [:]
    announced = [:]
    lineCount = 0
    reader = nil
    readerStatus = nil
    offset = 0
    isInsideLongLine = false
  }

  /// Takes in the complete lines up to `end`; an unfinished one is left for the next time.
  private mutating func take(from file: FileDescriptor, to end: Int64) throws(SystemError) {
    var pending: [UInt8] = []
    while offset + Int64(pending.count) < end {
      let known = pending.count
      let wanted = Int(min(end - offset - Int64(known), 1 << 18))
      pending.append(contentsOf: repeatElement(0, count: wanted))
      let start = offset + Int64(known)
      let count = try file.read(into: &pending, from: known, at: start)
      pending.removeLast(wanted - count)
      if count == 0 { return }
      var lineStart = 0
      var searchStart = known
      while let lineEnd = StampJournal.lineEnd(in: pending, from: searchStart) {
        take(pending[lineStart..<lineEnd])
        lineStart = lineEnd + 1
        searchStart = lineStart
      }
      offset += Int64(lineStart)
      pending.removeFirst(lineStart)
      if pending.count > Stamp.maxLineBytes {
        offset += Int64(pending.count)
        pending = []
        isInsideLongLine = true
      }
    }
  }

  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    let isRestOfLongLine = isInsideLongLine
    isInsideLongLine = false
    guard !line.isEmpty else { return }
    lineCount += 1
    guard !isRestOfLongLine, let (name, stamp, isAnnounced) = Stamp.parse(line) else { return }
    take(name, stamp, isAnnounced: isAnnounced)
  }

  private mutating func take(_ name: String, _ stamp: Stamp, isAnnounced: Bool) {
    if isAnnounced {
      announced[name] = stamp
    } else {
      stamps[name] = stamp
      if !announced.isEmpty { announced[name] = nil }
    }
  }

  // MARK: - Writing

  /// Gives the journal's byte back, so that the file may be replaced.
  mutating func leave(_ locks: LockFile) {
    if isShared { locks.release(LockFile.offset(of: StampJournal.name)) }
    isShared = false
  }

  /// Appends while sharing the journal's byte, so that the file is not replaced meanwhile; the byte stays shared unless
  /// that fails.
  ///
  /// - Returns: what the file is then
  private mutating func write(_ bytes: [UInt8], locks: LockFile) throws(SystemError) -> FileStatus {
    do throws(SystemError) {
      if isShared, let writer {
        try writer.write(bytes)
        let now = try writer.status()
        // Nobody who asks for the byte has replaced it, but somebody may have removed it by hand.
        if now.links > 0 { return now }
        self.writer = nil
      }
      try share(locks)
      let writer = try openWriter()
      try writer.write(bytes)
      return try writer.status()
    } catch {
      leave(locks)
      throw error
    }
  }

  private mutating func share(_ locks: LockFile) throws(SystemError) {
    if isShared { return }
    // Only a compaction holds it alone, for milliseconds.
    var waits = 0
    while try !locks.share(LockFile.offset(of: StampJournal.name)) {
      waits += 1
      guard waits < 2000 else { throw SystemError(EBUSY) }
      usleep(1000)
    }
    isShared = true
  }

  /// The file that has the journal's name now.
  private mutating func openWriter() throws(SystemError) -> FileDescriptor {
    if let writer, let known = writerStatus, let current = try folder.status(of: StampJournal.name),
      known.isSameFile(as: current)
    {
      return writer
    }
    writer = nil
    let opened = try FileDescriptor.open(
      StampJournal.name, in: folder, flags: O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, mode: 0o666)
    let status = try opened.status()
    guard status.kind == .regular else { throw SystemError(EISDIR) }
    writer = opened
    writerStatus = status
    return opened
  }

  /// Replaces the file by one with only the last line of each name whose file is still there.
  private mutating func compact(locks: LockFile, durability: Durability) throws(SystemError) {
    let lock = LockFile.offset(of: StampJournal.name)
    // Others are appending: the next publication will try again.
    guard try locks.acquire(lock) else { return }
    defer { locks.release(lock) }
    guard (try? refresh()) != nil, let current = try folder.status(of: StampJournal.name) else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stamps.count * 192)
    for (name, stamp) in stamps.sorted(by: { $0.key < $1.key }) {
      guard try folder.status(of: name) != nil else { continue }
      bytes += stamp.line(for: name)
      bytes.append(UInt8(ascii: "\n"))
    }
    for (name, stamp) in announced.sorted(by: { $0.key < $1.key }) {
      bytes += stamp.line(for: name, isAnnounced: true)
      bytes.append(UInt8(ascii: "\n"))
    }
    let temp = try TempFile(in: folder, lock: lock, isPrivate: true)
    try temp.file.write(bytes)
    try temp.adopt(current)
    if durability == .durable { try temp.file.sync() }
    try temp.publish(as: StampJournal.name)
    writer = nil
    forget()
  }
}
