public import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A result that is being written. The previous content stays until the new content is complete.
///
/// A small result is collected in memory. A larger result is compared with the existing file. From the first difference
/// on, it is written to a hidden file in the same folder, which gets the final name in one step. After a failure no
/// hidden file is left.
///
/// Only one writer at a time may use it. Any failure ends it. Releasing it without publishing discards the content.
public final class StagedFile: Sendable {
  /// The number of bytes that are collected in memory before the disk is used. Each write has this size too.
  public static let bufferSize = 1 << 20

  private enum Phase {
    case open
    case ended(ReactorError)
    case published
  }

  private struct State {
    var phase = Phase.open
    var buffer: StagedBuffer
    // The hash of all bytes that have left the buffer.
    var hash = ContentHash()
    // The status of the existing file when the first bytes left the buffer.
    var existing: FileStatus?
    var hasLooked = false
    // The existing file, as long as its content is equal to the new content; `temp` is then nil.
    var twin: FileDescriptor?
    var temp: TempFile?

    mutating func end(_ reason: ReactorError) { end(as: .ended(reason)) }

    mutating func end(as end: Phase) {
      if case .open = phase { phase = end }
      buffer.removeAll()
      twin = nil
      temp = nil  // removed with its last reference
    }
  }

  private let lock: PathLock
  private let state: Mutex<State>

  init(under lock: PathLock) {
    self.lock = lock
    state = Mutex(State(buffer: StagedBuffer(for: lock.path)))
  }

  /// Appends bytes.
  ///
  /// - Throws: an error of the disk, or `cancelled` when the task was cancelled; the content is then discarded
  public func write(_ bytes: [UInt8]) async throws(ReactorError) {
    if Task.isCancelled { try end(.cancelled) }
    let isFull: Bool = try state.withLock { (state: inout State) throws(ReactorError) -> Bool in
      try self.checkOpen(state)
      state.buffer.append(bytes)
      return state.buffer.isFull
    }
    guard isFull else { return }
    try await lock.work.run { () throws(ReactorError) in
      try self.perform { state throws(ReactorError) in
        try self.spill(try state.buffer.take(), &state, isLast: false)
        // The disk already writes this part while the rest is still arriving.
        if self.lock.folder.durability == .durable { state.temp?.file.beginSync() }
      }
    }
  }

  /// Publishes the content and writes its stamp. An existing file with the same content is not replaced.
  ///
  /// Returns when the outcome has the durability that the root requires. After an error the previous content is intact,
  /// with one exception: when the folder cannot be synced after the replacement, the new content is in place. The error
  /// message then says this.
  ///
  /// - Parameter isAnnounced: whether the stamp is on the medium before the content gets its name. Content and stamp
  ///   then become valid together, as they always do for a stamp with a cursor.
  public func publish(
    _ provenance: Provenance, isAnnounced: Bool = false
  ) async throws(ReactorError) -> Publication {
    if Task.isCancelled { try end(.cancelled) }
    if let taken = try take() { return taken }
    let result: Result<Publication, ReactorError> = await withCheckedContinuation { continuation in
      lock.work.submit {
        do throws(ReactorError) {
          let entry = try self.perform { state throws(ReactorError) in
            var entry = try self.prepare(&state, provenance) { continuation.resume(returning: $0) }
            entry.isAnnounced = isAnnounced || provenance.cursor != nil
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

  /// Offers small content to the root's taker; returns nil when it does not accept the content.
  private func take() throws(ReactorError) -> Publication? {
    guard let taker = lock.taker else { return nil }
    return try perform { state throws(ReactorError) -> Publication? in
      guard !state.hasLooked, taker(lock.path, state.buffer.bytes) else { return nil }
      state.buffer.bytes.withUnsafeBytes { state.hash.update($0) }
      let publication = Publication(change: .created, size: state.hash.count, hash: state.hash.value)
      state.end(as: .published)
      return publication
    }
  }

  /// Discards the written content.
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

  /// Performs one step; a failure discards all content.
  private func perform<Value: Sendable>(
    _ step: (inout State) throws(ReactorError) -> Value
  ) throws(ReactorError) -> Value {
    try state.withLock { (state: inout State) throws(ReactorError) -> Value in
      try self.checkOpen(state)
      do throws(ReactorError) {
        guard lock.isHeld else {
          throw ReactorError.persistence("the lock on \(lock.shown) was released", path: lock.shown)
        }
        return try step(&state)
      } catch {
        state.end(error)
        throw error
      }
    }
  }

  /// Writes bytes to the disk, or only compares them while the existing file has the same bytes at this offset.
  ///
  /// A result that has not changed is therefore never written.
  private func spill(_ bytes: [UInt8], _ state: inout State, isLast: Bool) throws(ReactorError) {
    if !state.hasLooked, try makeUnnamed(&state) {
      // The path did not exist when the lock was taken. The file gets its name only if the path still does not exist.
      state.hasLooked = true
    }
    if !state.hasLooked {
      state.hasLooked = true
      state.existing = try lock.folder.status(of: lock.path.name)
      state.twin = findTwin(of: state.existing, beginningWith: bytes.count, isLast: isLast)
    }
    if let twin = state.twin {
      if twin.holds(bytes, at: state.hash.count) {
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

  /// Creates a file without a name. Returns false when the target may exist or unnamed files are not supported.
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

  /// Opens the existing file if its size is such that the new content may be equal to its content.
  ///
  /// Nil also when the file cannot be read, because it can still be replaced.
  private func findTwin(of existing: FileStatus?, beginningWith count: Int, isLast: Bool) -> FileDescriptor? {
    guard let existing else { return nil }
    guard isLast ? existing.size == count : existing.size >= count else { return nil }
    return (try? lock.folder.open(lock.path.name))?.file
  }

  /// Writes the bytes that were only compared so far to a new file.
  ///
  /// Throws when another program has edited the existing file meanwhile.
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

  /// Prepares everything except the last step, which is shared with other publications.
  private func prepare(
    _ state: inout State, _ provenance: Provenance,
    settle: @escaping @Sendable (Result<Publication, ReactorError>) -> Void
  ) throws(ReactorError) -> CommitQueue.Entry {
    let folder = lock.folder
    let isDurable = folder.durability == .durable
    let isFirstLook = !state.hasLooked
    try spill(try state.buffer.takeLast(), &state, isLast: isFirstLook)
    let stamp = Stamp(size: state.hash.count, hash: state.hash.value, isDurable: isDurable, provenance: provenance)
    var entry = CommitQueue.Entry(
      name: lock.path.name, temp: nil, needsFolderSync: isDurable, stamp: stamp, change: .created, settle: settle)
    // Writing large content takes time; another program may have created a file with this name meanwhile.
    let existing = isFirstLook || state.temp?.isUnnamed == true ? state.existing : try folder.status(of: lock.path.name)
    lock.noteUse()

    if let twin = state.twin {
      if let existing, existing.size == stamp.size, (try? twin.status())?.isSameFile(as: existing) == true {
        entry.change = .unchanged
        // A durable stamp was written after file and folder had reached the medium.
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
