public import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A result being written: collected in memory while small, else in a hidden file beside its final place, and put there in
/// one step when it is whole. Whatever else happens, the previous content stays and nothing is left behind.
///
/// For one writer at a time. Any failure ends it; dropping it without publishing discards it.
public final class StagedFile: Sendable {
  /// What is collected in memory before the disk is touched, in bytes; also the size of each write.
  public static let bufferSize = 1 << 20

  private enum Phase {
    case open
    case ended(ReactorError)
  }

  private struct State {
    var phase = Phase.open
    var buffer: [UInt8] = []
    var temp: TempFile?
    var hash = ContentHash()
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
      if case .ended(let reason) = state.phase { throw reason }
      // A large piece goes to the disk from where it is.
      if state.buffer.isEmpty, bytes.count >= StagedFile.bufferSize { return true }
      state.buffer += bytes
      return state.buffer.count >= StagedFile.bufferSize
    }
    guard isFull else { return }
    try await lock.work.run { () throws(ReactorError) in
      try self.perform { state throws(ReactorError) in
        try self.spill(state.buffer.isEmpty ? bytes : state.buffer, &state)
        state.buffer.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Puts the content in its place, unless the file there has it already, and notes where it came from.
  ///
  /// Returns when the outcome is as durable as the root was asked for. After an error the previous content is intact
  /// (the one exception says so in its message: the folder could not be brought to the medium after the replacement).
  public func publish(_ provenance: Provenance) async throws(ReactorError) -> Publication {
    if Task.isCancelled { try end(.cancelled) }
    let result: Result<Publication, ReactorError> = await withCheckedContinuation { continuation in
      lock.work.submit {
        do throws(ReactorError) {
          let entry = try self.perform { state throws(ReactorError) in
            let entry = try self.prepare(&state, provenance) { continuation.resume(returning: $0) }
            state.phase = .ended(.persistence("\(self.lock.shown) is already published", path: self.lock.shown))
            state.temp = nil
            state.buffer = []
            return entry
          }
          let folder = self.lock.folder
          return { folder.commit(entry) }
        } catch {
          return { continuation.resume(returning: .failure(error)) }
        }
      }
    }
    return try result.get()
  }

  /// Drops what was written.
  public func discard() async {
    await withCheckedContinuation { continuation in
      lock.work.submit {
        try? self.end(.cancelled)
        return { continuation.resume() }
      }
    }
  }

  // MARK: - On the threads for files

  private func end(_ reason: ReactorError) throws(ReactorError) -> Never {
    state.withLock { state in
      if case .open = state.phase { state.phase = .ended(reason) }
      state.buffer = []
      state.temp = nil  // removed with its last reference
    }
    throw reason
  }

  /// Does one step; a failure discards everything.
  private func perform<Value: Sendable>(
    _ step: (inout State) throws(ReactorError) -> Value
  ) throws(ReactorError) -> Value {
    try state.withLock { (state: inout State) throws(ReactorError) -> Value in
      if case .ended(let reason) = state.phase { throw reason }
      do throws(ReactorError) {
        guard lock.isHeld else {
          throw ReactorError.persistence("the lock on \(lock.shown) was given back", path: lock.shown)
        }
        return try step(&state)
      } catch {
        state.phase = .ended(error)
        state.buffer = []
        state.temp = nil
        throw error
      }
    }
  }

  private func spill(_ bytes: [UInt8], _ state: inout State) throws(ReactorError) {
    do {
      if state.temp == nil { state.temp = try makeTemp() }
      try state.temp?.file.write(bytes)
    } catch {
      throw .file("write", lock.shown, error)
    }
    bytes.withUnsafeBytes { state.hash.update($0) }
  }

  private func makeTemp() throws(SystemError) -> TempFile {
    let folder = lock.folder
    return try TempFile(
      in: folder.descriptor, lock: lock.offset, replacing: folder.descriptor.status(of: lock.path.name))
  }

  /// Brings everything to the point where only the last step, shared with others, is left.
  private func prepare(
    _ state: inout State, _ provenance: Provenance,
    settle: @escaping @Sendable (Result<Publication, ReactorError>) -> Void
  ) throws(ReactorError) -> CommitQueue.Entry {
    let folder = lock.folder
    let name = lock.path.name
    let isDurable = folder.durability == .durable
    if state.temp != nil {
      if !state.buffer.isEmpty { try spill(state.buffer, &state) }
    } else {
      state.buffer.withUnsafeBytes { state.hash.update($0) }
    }
    let stamp = Stamp(
      size: state.hash.count, hash: state.hash.value, isDurable: isDurable, provenance: provenance)
    var entry = CommitQueue.Entry(
      name: name, temp: nil, needsFolderSync: isDurable, stamp: stamp, change: .created, settle: settle)

    let existing = try folder.status(of: name)
    if let existing, existing.size == stamp.size, let current = try folder.open(name)?.file,
      try hasSameContent(current, state)
    {
      entry.change = .unchanged
      // A stamp that says so was written after file and folder had reached the medium.
      if isDurable, let known = try? folder.stamp(of: name), known.isDurable, known.hash == stamp.hash,
        known.size == stamp.size
      {
        entry.needsFolderSync = false
      } else if isDurable {
        do { try current.sync() } catch { throw .file("make durable", lock.shown, error) }
      }
      return entry
    }

    if existing != nil { entry.change = .replaced }
    if state.temp == nil {
      do {
        state.temp = try makeTemp()
        try state.temp?.file.write(state.buffer)
      } catch {
        throw .file("write", lock.shown, error)
      }
    }
    do {
      if let existing { try state.temp?.adopt(existing) }
      if isDurable { try state.temp?.file.sync() }
    } catch {
      throw .file("write", lock.shown, error)
    }
    entry.temp = state.temp
    return entry
  }

  /// Compares byte by byte up to the first difference: an equal hash alone could be a server's doing.
  private func hasSameContent(_ current: FileDescriptor, _ state: State) throws(ReactorError) -> Bool {
    let chunk = min(256 << 10, max(1, Int(clamping: state.hash.count)))
    var left = [UInt8](repeating: 0, count: chunk)
    var right = left
    var offset: Int64 = 0
    do {
      while offset < state.hash.count {
        let count = try current.read(into: &left, at: offset)
        if count == 0 { return false }
        if let temp = state.temp {
          let other = try temp.file.read(into: &right, at: offset)
          guard other == count, isEqual(left[..<count], right[..<count]) else { return false }
        } else {
          // `offset` is below the buffer's count, which is the content's.
          guard isEqual(left[..<count], state.buffer[Int(offset)...].prefix(count)) else { return false }
        }
        offset += Int64(count)
      }
    } catch {
      throw .file("read", lock.shown, error)
    }
    return true
  }
  private func isEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, one.count) == 0
      }
    }
  }
}
