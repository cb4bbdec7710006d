internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

/// The records of a flow that do not fit, each on a line of a file of its own, which nobody sees until it is whole.
///
/// ```json
/// {"flow":"shop.users","page":1,"index":3,"pointer":"/id","rule":"integer","reason":"expected an integer, found null",
///  "request":{"method":"GET","url":"https://api.example.com/users"},"record":{"id":null}}
/// ```
///
/// A record of more than `RejectedRecord.longest` bytes has `record_text`, its beginning as a text, and `record_bytes`,
/// the bytes of the whole, in place of `record`.
final class DeadLetters: Sendable {
  private struct State {
    var lines: [UInt8] = []
    var report = PruneReport()
    var isFlushing = false
  }

  private let spool: RecordSpool
  private let flow: String
  private let isStrict: Bool
  private let state = Mutex(State())

  /// Takes the right to write the file.
  ///
  /// - Parameter isStrict: whether the first record that does not fit fails the flow
  static func open(
    _ path: OutputPath, in root: OutputRoot, of flow: String, isStrict: Bool
  ) async throws(ReactorError) -> DeadLetters {
    DeadLetters(try await RecordSpool.open(path, in: root, isTolerant: false), flow, isStrict)
  }

  private init(_ spool: RecordSpool, _ flow: String, _ isStrict: Bool) {
    self.spool = spool
    self.flow = flow
    self.isStrict = isStrict
  }

  /// Whether the flow is judged already, before its answer was read to the end: a strict one after its first bad record.
  var holdsVerdict: Bool { isStrict && state.withLock { $0.report.rejected > 0 } }

  /// The rejections so far, without the records that fit.
  var report: PruneReport { state.withLock { $0.report } }

  /// Takes the rejected records of one page.
  ///
  /// - Parameters:
  ///   - page: its number, from 1
  ///   - method: of its request
  ///   - url: of its request, fit to be shown: secrets masked
  func taker(page: Int, method: String, url: String) -> RejectedRecord.Taker {
    let head = ByteBuffer(capacity: 128)
    head.append("{\"flow\":")
    head.append(quoted: flow)
    head.append(",\"page\":")
    head.append(decimal: Int64(page))
    head.append(",\"index\":")
    let request = ByteBuffer(capacity: 256)
    request.append(",\"request\":{\"method\":")
    request.append(quoted: method)
    request.append(",\"url\":")
    request.append(quoted: url)
    request.append("}")
    return { [self, head = head.copy(), request = request.copy()] record in
      let line = Self.line(record, head, request)
      state.withLock { state in
        state.lines += line
        state.report.reject(at: record.index, because: MappedError(record.reason, pointer: record.pointer))
      }
    }
  }

  private static func line(_ record: RejectedRecord, _ head: [UInt8], _ request: [UInt8]) -> [UInt8] {
    let out = ByteBuffer(capacity: head.count + request.count + record.json.count + 256)
    out.append(head)
    out.append(decimal: Int64(record.index))
    out.append(",\"pointer\":")
    out.append(quoted: record.pointer)
    out.append(",\"rule\":")
    out.append(quoted: record.rule)
    out.append(",\"reason\":")
    out.append(quoted: record.reason)
    out.append(request)
    if record.isCut {
      out.append(",\"record_bytes\":")
      out.append(decimal: Int64(record.size))
      out.append(",\"record_text\":")
      record.json.withUnsafeBufferPointer { EscapedText.quote($0, into: out) }
    } else {
      out.append(",\"record\":")
      out.append(record.json)
    }
    out.append("}\n")
    return out.copy()
  }

  /// Hands what was taken to the file: to be called between batches. While another task does so, nothing is done.
  func flush() async throws(ReactorError) {
    let lines: [UInt8]? = state.withLock { state in
      guard !state.isFlushing, !state.lines.isEmpty else { return nil }
      state.isFlushing = true
      defer { state.lines = [] }
      return state.lines
    }
    guard let lines else { return }
    defer { state.withLock { $0.isFlushing = false } }
    try await spool.write(lines)
  }

  /// Puts the file in its place, in that of an older answer's; it is empty when every record fits.
  func publish(_ provenance: Provenance) async throws(ReactorError) {
    try await flush()
    var provenance = provenance
    provenance.recordCount = report.rejected
    // The stamp is for who reads the folder; no run uses the file, so that a lost one changes nothing.
    _ = try await spool.publish(provenance)
  }

  /// The same for a flow that fails: gives the reason, with what went wrong here added.
  func publish(_ provenance: Provenance, because reason: ReactorError) async -> ReactorError {
    do throws(ReactorError) {
      try await publish(provenance)
      return reason
    } catch {
      if error.kind == .cancelled { return error }
      var reason = reason
      reason.message += "; the rejected records are not kept: \(error.message)"
      return reason
    }
  }

  /// Drops what was taken and gives the path back; the file that is there stays.
  func discard() async { await spool.discard() }
}
