internal import ReactorCore
internal import Synchronization

/// Receives the records of one page. If its response breaks off, the page is requested again.
///
/// The first records are held until the page is complete, and dropped when it breaks off. After `heldBytes`, records
/// are written at once. When such a page is requested again, the new response is skipped up to the number of bytes that
/// were written, if the last of these bytes are the same. Then each record after them is new, and none is lost or
/// stored twice.
final class PageAttempt: RecordSink {
  /// How many bytes of records are held until the page is complete. If there are more, records are written at once.
  static let heldBytes = 1 << 20

  private struct State {
    var held = RecordChunk()
    /// The number of bytes of the page that were written to the sink; `last` is the last chunk of these bytes.
    var written = 0
    var writtenLines = 0
    var last: [UInt8] = []
    /// The number of bytes of the present response that are already in the sink, up to `written`.
    var passed = 0
    var passedLines = 0

    /// Removes and returns the held records, which the caller then writes to the sink.
    mutating func take() -> RecordChunk {
      defer { held = RecordChunk() }
      guard !held.isEmpty else { return held }
      written += held.bytes.count
      writtenLines += held.lines.count
      (passed, passedLines) = (written, writtenLines)
      if !held.bytes.isEmpty { last = held.bytes }
      return held
    }
  }

  private let sink: any RecordSink
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isPrompt: whether records are written as they arrive, and none are held
  ///   - isWhole: whether all records are held until the page is complete, whatever their number
  init(_ sink: any RecordSink, isPrompt: Bool = false, isWhole: Bool = false) {
    self.sink = sink
    limit = isWhole ? .max : isPrompt ? 0 : Self.heldBytes
  }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    guard let part = try unwritten(part) else { return }
    let due: RecordChunk? = state.withLock { (state) -> RecordChunk? in
      state.held += part
      // Once records of the page were written, further records are not held.
      guard state.written > 0 || state.held.bytes.count > limit || state.held.lines.count > limit else { return nil }
      return state.take()
    }
    if let due { try await sink.write(due) }
  }

  /// Writes the held records of a page that is complete.
  func finish() async throws(ReactorError) {
    guard state.withLock({ $0.passed == $0.written && $0.passedLines == $0.writtenLines }) else { throw Self.changed }
    let rest = state.withLock { $0.take() }
    if !rest.isEmpty { try await sink.write(rest) }
  }

  /// Drops the held records, before the page is requested again.
  func restart() {
    state.withLock { state in
      state.held = RecordChunk()
      (state.passed, state.passedLines) = (0, 0)
    }
  }

  /// The part of a chunk after the bytes that an earlier response of the page wrote; nil when it is empty.
  private func unwritten(_ part: RecordChunk) throws(ReactorError) -> RecordChunk? {
    let rest: Result<RecordChunk, ReactorError> = state.withLock { state in
      var rest = part
      let repeated = min(part.bytes.count, state.written - state.passed)
      if repeated > 0 {
        // Only the last written bytes are retained, so only these are compared.
        let start = max(0, state.written - state.last.count - state.passed)
        if start < repeated {
          let offset = state.passed + start - (state.written - state.last.count)
          let old = state.last[offset..<(offset + repeated - start)]
          guard old.elementsEqual(part.bytes[start..<repeated]) else { return .failure(Self.changed) }
        }
        rest.bytes.removeFirst(repeated)
        state.passed += repeated
      }
      let lines = min(part.lines.count, state.writtenLines - state.passedLines)
      if lines > 0 {
        rest.lines.removeFirst(lines)
        state.passedLines += lines
      }
      return .success(rest)
    }
    let found = try rest.get()
    return found.isEmpty ? nil : found
  }

  private static var changed: ReactorError {
    var error = ReactorError.server(
      "the response was cut off, and the server sent different records when the page was requested again")
    error.help =
      "run the flow again, if necessary with smaller pages: a small page that is cut off is requested again as a whole"
    return error
  }
}
