internal import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The bytes of the records that one run of a flow passes on to its child flows, and the result of that run.
///
/// Bytes are only ever added.
final class FeedGeneration: Sendable {
  enum End: Sendable {
    /// All bytes were written. `short` is the reason why records are missing; nil when none are missing.
    case finished(short: ReactorError?)
    case failed(ReactorError)
  }

  private struct Content {
    /// The bytes, until they exceed the memory limit.
    var memory: [UInt8] = []
    var file: FileDescriptor?
    var size: Int64 = 0
    var end: End?
    /// The readers that wait for more bytes, by their number.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    /// The readers that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
    var lastNumber = 0

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [:] }
      return Array(waiting.values)
    }
  }

  private static let heldBytes = 1 << 16

  private let content = Mutex(Content())
  private let folders: [String]
  private let work: FileWork

  init(folders: [String], work: FileWork) {
    self.folders = folders
    self.work = work
  }

  /// Whether any bytes were written, or the generation has ended.
  var isUsed: Bool { content.withLock { $0.size > 0 || $0.end != nil } }

  /// Why records are missing. Nil before the end, and when all records were written.
  var shortfall: ReactorError? {
    content.withLock { content in
      if case .finished(let short)? = content.end { short } else { nil }
    }
  }

  // MARK: - Writing, by one writer at a time

  func append(_ bytes: [UInt8]) async {
    guard !bytes.isEmpty else { return }
    if holds(bytes) { return }
    // Only the writer moves the bytes to a file, so the state stays the same between these two locks.
    let rest: (file: FileDescriptor?, held: [UInt8])? = content.withLock { content in
      content.end == nil ? (content.file, content.memory) : nil
    }
    guard let rest else { return }
    do throws(ReactorError) {
      let file = try await work.run { () throws(ReactorError) -> FileDescriptor in
        if let file = rest.file {
          try self.write(bytes, to: file)
          return file
        }
        let file = try self.makeFile()
        try self.write(rest.held + bytes, to: file)
        return file
      }
      wake { content in
        content.file = file
        content.memory = []
        content.size += Int64(bytes.count)
      }
    } catch {
      end(.failed(error))
    }
  }

  /// Stores bytes in memory; returns false when they exceed the memory limit.
  private func holds(_ bytes: [UInt8]) -> Bool {
    var isHeld = false
    wake { content in
      guard content.end == nil, content.file == nil, content.memory.count + bytes.count <= Self.heldBytes
      else { return }
      content.memory += bytes
      content.size += Int64(bytes.count)
      isHeld = true
    }
    return isHeld
  }

  /// Ends the generation; later calls have no effect.
  func end(_ end: End) {
    wake { content in
      if content.end == nil { content.end = end }
    }
  }

  /// Changes the content and wakes all waiting readers.
  private func wake(_ change: (inout Content) -> Void) {
    let waiting = content.withLock { content in
      change(&content)
      return content.takeWaiting()
    }
    for reader in waiting { reader.resume() }
  }

  // MARK: - Reading, by any number of readers

  /// Waits until bytes beyond an offset exist, or the generation has ended.
  ///
  /// - Returns: the number of bytes, and whether no more will be written
  func wait(beyond offset: Int64) async throws(ReactorError) -> (size: Int64, isOver: Bool) {
    while true {
      if Task.isCancelled { throw .cancelled }
      let state: (size: Int64, end: End?) = content.withLock { ($0.size, $0.end) }
      switch state.end {
      case .failed(let error): throw error
      case .finished: return (state.size, true)
      case nil: if state.size > offset { return (state.size, false) }
      }
      await waitForChange(of: state.size)
    }
  }

  private func waitForChange(of size: Int64) async {
    let number = content.withLock { content in
      content.lastNumber += 1
      return content.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = content.withLock { content in
          guard content.size == size, content.end == nil, !content.cancelled.contains(number) else { return false }
          content.waiting[number] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      let continuation = content.withLock { content in
        content.cancelled.insert(number)
        return content.waiting.removeValue(forKey: number)
      }
      continuation?.resume()
    }
    _ = content.withLock { $0.cancelled.remove(number) }
  }

  /// Returns bytes that are already written.
  func bytes(from offset: Int64, count: Int) async throws(ReactorError) -> [UInt8] {
    let (file, held): (FileDescriptor?, [UInt8]) = content.withLock { content in
      guard content.file == nil else { return (content.file, []) }
      let start = Int(clamping: offset)
      return (nil, Array(content.memory[min(start, content.memory.count)...].prefix(count)))
    }
    guard let file else { return held }
    return try await work.run { () throws(ReactorError) -> [UInt8] in
      var bytes = [UInt8](repeating: 0, count: count)
      do throws(SystemError) {
        let filled = try file.read(into: &bytes, at: offset)
        bytes.removeLast(count - filled)
      } catch {
        throw .file("read", "the temporary file of the records", error)
      }
      guard bytes.count == count else { throw .persistence("records in the temporary file are missing") }
      return bytes
    }
  }

  // MARK: - The file

  private func write(_ bytes: [UInt8], to file: FileDescriptor) throws(ReactorError) {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      throw .file("store records in a temporary file in", folders.first ?? ".", error)
    }
  }

  /// Creates a file that no other process can open, in the first folder that allows it.
  private func makeFile() throws(ReactorError) -> FileDescriptor {
    var first: SystemError?
    for folder in folders {
      do throws(SystemError) {
        return try Self.unnamedFile(in: folder)
      } catch {
        first = first ?? error
      }
    }
    throw .file("store records in a temporary file in", folders.first ?? ".", first ?? SystemError(ENOENT))
  }

  private static func unnamedFile(in path: String) throws(SystemError) -> FileDescriptor {
    // The operator chose this folder, so symbolic links in its path are followed.
    let folder = try FileDescriptor.open(path, in: nil, flags: O_RDONLY | O_DIRECTORY, follows: true)
    // A file without a name leaves nothing behind, even when the process is killed.
    if let file = try? FileDescriptor.openUnnamed(in: folder, mode: 0o600) { return file }
    let name = ".reactor-feed." + String(UInt64.random(in: 0 ... .max), radix: 16)
    let file = try FileDescriptor.open(name, in: folder, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    try folder.remove(name)
    return file
  }
}
