internal import ReactorCore
internal import Storage
internal import Synchronization

/// The bytes of a part of a stored file, with given bytes before and after them.
final class StoredBytes: ByteSource {
  private struct State {
    var head: [UInt8]
    var offset: Int64
    var tail: [UInt8]
  }

  private let file: StoredFile
  private let end: Int64
  private let state: Mutex<State>

  /// Creates a source of a part of a file.
  ///
  /// - Parameters:
  ///   - start: the offset of the part, in bytes
  ///   - count: the size of the part, in bytes
  ///   - head: bytes before the part
  ///   - tail: bytes after the part
  init(_ file: StoredFile, from start: Int64, count: Int64, head: [UInt8], tail: [UInt8]) {
    self.file = file
    let (end, isTooFar) = start.addingReportingOverflow(count)
    self.end = isTooFar ? .max : end
    state = Mutex(State(head: head, offset: start, tail: tail))
  }

  func next() async throws(ReactorError) -> [UInt8]? {
    let (head, offset) = state.withLock { state in
      defer { state.head = [] }
      return (state.head, state.offset)
    }
    if !head.isEmpty { return head }
    let bytes = try await file.bytes(from: offset, count: Int(clamping: min(256 << 10, end - offset)))
    return state.withLock { state in
      state.offset += Int64(bytes.count)
      if !bytes.isEmpty { return bytes }
      defer { state.tail = [] }
      return state.tail.isEmpty ? nil : state.tail
    }
  }

  func cancel() {}
}
