public import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A result being written; the previous content stays until it is whole.
///
/// A small result is collected in memory. A larger one is compared with the present file and, from the first difference
/// on, written to a hidden file beside it, which gets the name in one step. After a failure nothing is left behind.
///
/// For one writer at a time. Any failure ends it; dropping it without publishing discards it.
public final class StagedFile: Sendable {
  /// What is collected in memory before the disk is touched, in bytes; also the size of each write.
  public static let bufferSize = 1 << 20

  private enum Phase {
    case open
    case ended(ReactorError)
    case published
  }

  private struct State {
    var phase = Phase.open
    var buffer: [UInt8] = []
    // Of all bytes that have left the buffer.
    var hash = ContentHash()
    // What stood under the path when the first bytes left the buffer.
    var existing: FileStatus?
    var hasLooked = false
    // The file that is there now, as long as it has been equal; then `temp` is nil.
    var twin: FileDescriptor?
    var temp: TempFile?

    mutating func end(_ reason: ReactorError) { end(as: .ended(reason)) }

    mutating func end(as end: Phase) {
      if case .open = phase { phase = end }
      buffer = []
      twin = nil
      temp = nil  // removed with its last reference
    }
  }

  private let lock: PathLock
  private let state = Mutex(State())

  init(under lock: PathLock) { self.lock = lock }

  /// Adds bytes.
  ///
  /// - Throws: what the disk says, or that the task was cancelled; the content is then discarded.
  public func write(_ bytes: [UInt8]) async throws(ReactorError) {
    if Task.isCancelled { try end(.cancelled) }
    let isFull: Bool = try state.withLock { (state: inout State) throws(ReactorError) -> Bool in
      try self.checkOpen(state)
      // A large piece goes to the disk from where it is.
      if state.buffer.isEmpty, bytes.count >= StagedFile.bufferSize { return true }
      state.buffer += bytes
      return state.buffer.count >= StagedFile.bufferSize
    }
    guard isFull else { return }
    try await lock.work.run { () throws(ReactorError) in
      try self.perform { state throws(ReactorError) in
        try self.spill(state.buffer.isEmpty ? bytes : state.buffer, &state, isLast: false)
        state.buffer.removeAll(keepingCapacity: true)
        // The disk works while the rest is still on its way.
        if self.lock.folder.durability == .durable { state.temp?.file.beginSync() }
      }
    }
  }

  /// Puts the content in place, unless the file there has it already, and writes its stamp.
  ///
  /// Returns when the outcome is as durable as the root was asked for. After an error the previous content is intact
  /// (the one exception says so in its message: the folder could not be brought to the medium after the replacement).
  public func publish(_ provenance: Provenance) async throws(ReactorError) -> Publication {
    if Task.isCancelled { try end(.cancelled) }
    if let taken = try take() { return taken }
    let result: Result<Publication, ReactorError> = await withCheckedContinuation { continuation in
      lock.work.submit {
        do throws(ReactorError) {
          let entry = try self.perform { state throws(ReactorError) in
            let entry = try self.prepare(&state, provenance) { continuation.resume(returning: $0) }
            state.end(as: .published)
            return entry
          }
          let folder = self.lock.folder
          return FileWork.Step { folder.commit(entry) }
        } catch {
          return .last { continuation.resume(returning: .failure(error)) }
        }
      }
    }
    return try result.get()
  }

  /// Offers a small content to the taker.
  private func take() throws(ReactorError) -> Publication? {
    guard let taker = lock.taker else { return nil }
    return try perform { state throws(ReactorError) -> Publication? in
      guard !state.hasLooked, taker(lock.path, state.buffer) else { return nil }
      state.buffer.withUnsafeBytes { state.hash.update($0) }
      let publication = Publication(change: .created, size: state.hash.count, hash: state.hash.value)
      state.end(as: .published)
      return publication
    }
  }

  /// Drops what was written.
  public func discard() async {
    await withCheckedContinuation { continuation in
      lock.work.submit {
        try? self.end(.cancelled)
        return .last { continuation.resume() }
      }
    }
  }

  // MARK: - On the threads for files

  private func end(_ reason: ReactorError) throws(ReactorError) -> Never {
    state.withLock { $0.end(reason) }
    throw reason
  }

  private func checkOpen(_ state: borrowing State) throws(ReactorError) {
    switch state.phase {
    case .open: return
    case .ended(let reason): throw reason
    case .published: throw .persistence("\(lock.shown) is already published", path: lock.shown)
    }
  }

  /// Does one step; a failure discards everything.
  private func perform<Value: Sendable>(
    _ step: (inout State) throws(ReactorError) -> Value
  ) throws(ReactorError) -> Value {
    try state.withLock { (state: inout State) throws(ReactorError) -> Value in
      try self.checkOpen(state)
      do throws(ReactorError) {
        guard lock.isHeld else {
          throw ReactorError.persistence("the lock on \(lock.shown) was given back", path: lock.shown)
        }
        return try step(&state)
      } catch {
        state.end(error)
        throw error
      }
    }
  }

  /// Writes bytes to the disk, or only compares them while the present file has the same ones at this offset: a result
  /// that has not changed is never written.
  private func spill(_ bytes: [UInt8], _ state: inout State, isLast: Bool) throws(ReactorError) {
    if !state.hasLooked, try makeUnnamed(&state) {
      // Nothing stood there when the lock was taken, and the file gets its name only if that is still so.
      state.hasLooked = true
    }
    if !state.hasLooked {
      state.hasLooked = true
      state.existing = try lock.folder.status(of: lock.path.name)
      state.twin = findTwin(of: state.existing, beginningWith: bytes.count, isLast: isLast)
    }
    if let twin = state.twin {
      if hasEqual(bytes, twin, at: state.hash.count) {
        bytes.withUnsafeBytes { state.hash.update($0) }
        return
      }
      try part(from: twin, &state)
    }
    do {
      if state.temp == nil { state.temp = try makeTemp(replacing: state.existing) }
      try state.temp?.file.write(bytes)
    } catch {
      throw .file("write", lock.shown, error)
    }
    bytes.withUnsafeBytes { state.hash.update($0) }
  }

  /// Begins a file without a name; false where the target may exist or the system has no such files.
  private func makeUnnamed(_ state: inout State) throws(ReactorError) -> Bool {
    guard lock.isUnused else { return false }
    do {
      state.temp = try TempFile(
        unnamedIn: lock.folder.descriptor, lock: lock.offset, isPrivate: lock.folder.isPrivate)
    } catch {
      throw .file("write", lock.shown, error)
    }
    return state.temp != nil
  }

  private func makeTemp(replacing existing: FileStatus?) throws(SystemError) -> TempFile {
    try TempFile(
      in: lock.folder.descriptor, lock: lock.offset, isPrivate: existing != nil || lock.folder.isPrivate)
  }

  /// The file under the path, when its size lets it be equal; nil when it cannot be read, for it can still be replaced.
  private func findTwin(of existing: FileStatus?, beginningWith count: Int, isLast: Bool) -> FileDescriptor? {
    guard let existing else { return nil }
    guard isLast ? existing.size == count : existing.size >= count else { return nil }
    return (try? lock.folder.open(lock.path.name))?.file
  }

  /// Writes what was only compared so far. Another program may have edited the file in place meanwhile.
  private func part(from twin: FileDescriptor, _ state: inout State) throws(ReactorError) {
    state.twin = nil
    var copied = ContentHash()
    do {
      let temp = try makeTemp(replacing: state.existing)
      state.temp = temp
      var piece = [UInt8](repeating: 0, count: Int(min(Int64(StagedFile.bufferSize), max(1, state.hash.count))))
      while copied.count < state.hash.count {
        let wanted = Int(min(Int64(piece.count), state.hash.count - copied.count))
        if wanted < piece.count { piece.removeLast(piece.count - wanted) }
        guard try twin.read(into: &piece, at: copied.count) == wanted else { break }
        try temp.file.write(piece)
        piece.withUnsafeBytes { copied.update($0) }
      }
    } catch {
      throw .file("write", lock.shown, error)
    }
    guard copied.count == state.hash.count, copied.value == state.hash.value else {
      throw .persistence(
        "\(lock.shown) was changed by another program while it was being replaced (run the flow again)",
        path: lock.shown)
    }
  }

  /// Brings everything to the point where only the last step, shared with others, is left.
  private func prepare(
    _ state: inout State, _ provenance: Provenance,
    settle: @escaping @Sendable (Result<Publication, ReactorError>) -> Void
  ) throws(ReactorError) -> CommitQueue.Entry {
    let folder = lock.folder
    let isDurable = folder.durability == .durable
    let isFirstLook = !state.hasLooked
    try spill(state.buffer, &state, isLast: isFirstLook)
    let stamp = Stamp(size: state.hash.count, hash: state.hash.value, isDurable: isDurable, provenance: provenance)
    var entry = CommitQueue.Entry(
      name: lock.path.name, temp: nil, needsFolderSync: isDurable, stamp: stamp, change: .created, settle: settle)
    // A large content took its time; another program may have put another file there.
    let existing = isFirstLook || state.temp?.isUnnamed == true ? state.existing : try folder.status(of: lock.path.name)
    lock.noteUse()

    if let twin = state.twin {
      if let existing, existing.size == stamp.size, (try? twin.status())?.isSameFile(as: existing) == true {
        entry.change = .unchanged
        // A stamp that says so was written after file and folder had reached the medium.
        if isDurable, let known = try? folder.stamp(of: entry.name), known.isDurable, known.hash == stamp.hash,
          known.size == stamp.size
        {
          entry.needsFolderSync = false
        } else if isDurable {
          do { try twin.sync() } catch { throw .file("make durable", lock.shown, error) }
        }
        return entry
      }
      try part(from: twin, &state)
    }

    if existing != nil { entry.change = .replaced }
    do {
      if let existing, !folder.isPrivate { try state.temp?.adopt(existing) }
      if isDurable { try state.temp?.file.sync() }
    } catch {
      throw .file("write", lock.shown, error)
    }
    entry.temp = state.temp
    return entry
  }
}

/// Whether a file has exactly these bytes at an offset. An equal hash alone could be a server's doing.
private func hasEqual(_ bytes: [UInt8], _ file: FileDescriptor, at offset: Int64) -> Bool {
  var piece = [UInt8](repeating: 0, count: min(256 << 10, bytes.count))
  var done = 0
  while done < bytes.count {
    let count = min(piece.count, bytes.count - done)
    piece.removeLast(piece.count - count)
    guard (try? file.read(into: &piece, at: offset + Int64(done))) == count,
      piece.elementsEqual(bytes[done..<done + count])
    else { return false }
    done += count
  }
  return true
}
