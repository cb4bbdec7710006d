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
/// Items that failed, for which nothing was asked or the request failed, have `each` in place of `record`: what
/// the request was made for, by name. They can be asked for alone, and stay until they were asked for again.
///
/// A record of more than `RejectedRecord.longest` bytes has `record_text`, its beginning as a text, and `record_bytes`,
/// the bytes of the whole, in place of `record`.
final class RejectedRecords: Sendable {
  struct State {
    var lines: [UInt8] = []
    var report = PruneReport()
    var isFlushing = false
    /// The lines that were taken or persisted.
    var count = 0
    /// Whether the flow is judged by its items.
    var isJudged = false
    /// Digests of the items that were asked for.
    var tried: Set<UInt64> = []
    /// Identities of the records that this run has rejected, where they are tracked.
    var rejected: Set<UInt64> = []
    /// Identities of records of the older file that are persisted now, or gone.
    var delivered: Set<UInt64> = []
  }

  let spool: RecordSpool
  let flow: String
  private let isStrict: Bool
  /// What of an older file stays in the new one.
  private let keeping: Retention
  /// Identifies records from one run to the next; nil where the file belongs to one response.
  let tracking: RejectedTracking?
  /// Identities of the older file's records.
  let pending: Set<UInt64>
  /// Secrets that must not appear in what servers say.
  private let mask: @Sendable (String) -> String
  /// The file as it was when the run began.
  let old: StoredFile?
  let state = Mutex(State())

  /// What of an older file stays.
  enum Retention: Sendable {
    /// Nothing: it belongs to another response.
    case nothing
    /// Items that this run did not ask for.
    case items
    /// These, and records of responses that this run did not ask for either.
    case all
    /// These items, and records that neither arrived nor were rejected again.
    case undelivered(RejectedTracking)

    fileprivate var tracking: RejectedTracking? { if case .undelivered(let tracking) = self { tracking } else { nil } }
    var keepsNothing: Bool { if case .nothing = self { true } else { false } }
  }

  /// Takes the right to write the file.
  ///
  /// - Parameters:
  ///   - isStrict: whether the first record that does not fit fails the flow
  ///   - keeping: what of the present file stays
  ///   - mask: hides secrets in what servers say
  static func open(
    _ path: OutputPath, in root: OutputRoot, of flow: String, isStrict: Bool, keeping: Retention = .nothing,
    mask: @escaping @Sendable (String) -> String = { $0 }
  ) async throws(ReactorError) -> RejectedRecords {
    let spool = try await RecordSpool.open(path, in: root, isTolerant: false)
    do throws(ReactorError) {
      let old = keeping.keepsNothing ? nil : try await root.open(path)
      var pending: Set<UInt64> = []
      if let old, let tracking = keeping.tracking {
        try await Self.read(old, at: path) { line in
          if let identity = tracking.identity(of: line) { pending.insert(identity) }
        }
      }
      return RejectedRecords(spool, flow, isStrict, keeping, old, pending, mask)
    } catch {
      await spool.discard()
      throw error
    }
  }

  private init(
    _ spool: RecordSpool, _ flow: String, _ isStrict: Bool, _ keeping: Retention, _ old: StoredFile?,
    _ pending: Set<UInt64>, _ mask: @escaping @Sendable (String) -> String
  ) {
    self.spool = spool
    self.flow = flow
    self.isStrict = isStrict
    self.keeping = keeping
    self.pending = pending
    tracking = keeping.tracking
    self.old = old
    self.mask = mask
  }

  /// Whether the flow is judged already although it fails: a strict one after its first bad record, one that asks for
  /// each of something when all of it failed.
  func holdsVerdict(because error: ReactorError) -> Bool {
    state.withLock { $0.isJudged || isStrict && error.kind == .parser && $0.report.rejected > 0 }
  }

  /// The rejections so far, without the records that fit.
  var report: PruneReport { state.withLock { $0.report } }

  /// Takes the rejected records of one page.
  ///
  /// - Parameters:
  ///   - page: its number, from 1
  ///   - method: of its request
  ///   - url: of its request, fit to be shown: secrets masked
  ///   - requested: what its request asks for
  ///   - transform: what is done with its records
  func taker(
    page: Int, method: String, url: String, requested: RequestedPart, transform: RecordTransform?
  ) -> RejectedRecord.Taker {
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
    return { [self, head = head.copy(), request = request.copy()] given in
      // The record is what the user asks to store; the reason is a message.
      var record = given
      record.reason = mask(given.reason)
      let trace = tracking?.trace(of: record, requested, by: transform)
      let line = Self.line(record, head, trace.map { request + Self.members($0, requested.parents) } ?? request)
      state.withLock { state in
        if let trace { state.rejected.insert(trace.identity) }
        state.lines += line
        state.count += 1
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

  /// Takes an item that failed.
  ///
  /// - Parameter index: its place among all items of the run, from 0
  func take(
    _ failure: ItemFailure, of partition: Partition, at index: Int, _ request: ShownRequest, status: Int?
  ) {
    let out = ByteBuffer(capacity: 512)
    out.append("{\"flow\":")
    out.append(quoted: flow)
    out.append(",\"index\":")
    out.append(decimal: Int64(index))
    out.append(",\"pointer\":")
    out.append(quoted: failure.pointer)
    out.append(",\"rule\":")
    out.append(quoted: failure.rule)
    out.append(",\"reason\":")
    out.append(quoted: mask(failure.reason))
    if let status {
      out.append(",\"status\":")
      out.append(decimal: Int64(status))
    }
    out.append(",\"request\":{\"method\":")
    out.append(quoted: request.method)
    out.append(",\"url\":")
    out.append(quoted: request.url)
    if let key = request.key {
      out.append(",\"key\":")
      out.append(quoted: key)
    }
    out.append("}")
    if partition.batch != nil {
      out.append(",\"batch\":")
      out.append(decimal: Int64(partition.index))
    }
    out.append(",\"each\":")
    out.append(json: partition.item(failure.item))
    out.append("}\n")
    let line = out.copy()
    state.withLock { state in
      state.lines += line
      state.count += 1
      state.report.reject(at: index, because: MappedError(failure.reason, pointer: failure.pointer))
    }
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

  /// Puts the file in its place, in that of an older response's; it is empty when every record fits.
  func publish(_ provenance: Provenance) async throws(ReactorError) {
    try await flush()
    try await keepOld(keeping)
    var provenance = provenance
    provenance.recordCount = state.withLock { $0.count }
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
      reason.message += "; the rejected records are not persisted: \(error.message)"
      return reason
    }
  }

  /// Drops what was taken and gives the path back; the file that is there stays.
  func discard() async { await spool.discard() }
}
