public import ReactorCore
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file without a name for data that does not fit in memory while the output is written.
///
/// The file is in the same folder as the output. The last reference deletes it, and so does the end of the process for
/// any reason. Only one writer at a time may use it.
public final class ScratchFile: Sendable {
  private struct State {
    var temp: TempFile?
    var size: Int64 = 0
  }

  private let lock: PathLock
  private let state = Mutex(State())

  init(under lock: PathLock) { self.lock = lock }

  /// Appends bytes.
  public func append(_ bytes: [UInt8]) async throws(ReactorError) {
    if Task.isCancelled { throw .cancelled }
    try await lock.work.run { () throws(ReactorError) in
      try self.state.withLock { (state: inout State) throws(ReactorError) in
        do throws(SystemError) {
          let temp: TempFile
          if let known = state.temp {
            temp = known
          } else {
            let folder = self.lock.folder
            // The file is private: no other user needs to read it, whatever the permissions of the output are.
            temp = try TempFile(in: folder.descriptor, lock: self.lock.offset, isPrivate: true)
            // This removes the name; the open file remains usable.
            temp.discard()
            state.temp = temp
          }
          try temp.file.write(bytes)
          state.size += Int64(bytes.count)
        } catch {
          throw .file("write", self.lock.shown, error)
        }
      }
    }
  }

  /// A file for reading the bytes that were appended so far; nil before the first bytes.
  public func stored() -> StoredFile? {
    state.withLock { state in
      state.temp.map { StoredFile($0.file, size: state.size, path: lock.shown, work: lock.work) }
    }
  }

  /// Returns the bytes of some ranges, in the order of the ranges.
  ///
  /// - Throws: an error of the disk, and an error when a range is not in the file
  public func bytes(at ranges: [(start: Int64, count: Int)]) async throws(ReactorError) -> [UInt8] {
    if Task.isCancelled { throw .cancelled }
    return try await lock.work.run { () throws(ReactorError) -> [UInt8] in
      try self.state.withLock { (state: inout State) throws(ReactorError) -> [UInt8] in
        var bytes = [UInt8](repeating: 0, count: ranges.reduce(0) { $0 + $1.count })
        var filled = 0
        do throws(SystemError) {
          for range in ranges {
            guard let file = state.temp?.file, range.start >= 0, range.start + Int64(range.count) <= state.size else {
              throw SystemError(EIO)
            }
            var piece = [UInt8](repeating: 0, count: range.count)
            guard try file.read(into: &piece, at: range.start) == range.count else {
              throw SystemError(EIO)
            }
            bytes.replaceSubrange(filled..<filled + range.count, with: piece)
            filled += range.count
          }
        } catch {
          throw .file("read", self.lock.shown, error)
        }
        return bytes
      }
    }
  }
}
