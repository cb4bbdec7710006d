internal import Databases
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

/// Collects the rejected records of a flow, one per line of a file or row of a table. They are invisible until all have
/// arrived.
///
/// ```json
/// {"flow":"shop.users","page":1,"index":3,"pointer":"/id","rule":"integer","reason":"expected an integer, found null",
///  "request":{"method":"GET","url":"https://api.example.com/users"},"record":{"id":null}}
/// ```
///
/// A failed item was not sent, or its request failed. Its line has `each` instead of `record`: the parents' records by
/// name. An item can be requested alone, and its line stays until the item is requested again.
///
/// For a record of more than `RejectedRecord.longest` bytes, `record` is replaced by two members: `record_text`, the
/// beginning of the record as text, and `record_bytes`, the size of the whole record in bytes.
final class RejectedRecords: Sendable {
  struct State {
    var lines: [UInt8] = []
    var report = PruneReport()
    var isFlushing = false
    /// The number of lines in the new file.
    var count = 0
    /// Whether the flow fails because too many of its items failed.
    var isJudged = false
    /// Digests of the items that this run requested, whose older lines are not copied.
    var tried: Set<UInt64> = []
    /// Identities of the records that this run has rejected; only when records are tracked.
    var rejected: Set<UInt64> = []
    /// Identities of the older file's records that are now persisted or deleted.
    var delivered: Set<UInt64> = []
  }

  let place: any RejectedPlace
  let flow: String
  private let isStrict: Bool
  /// Which lines of an older file are retained in the new file.
  private let keeping: Retention
  /// Identifies records across runs; nil unless older rejected records are retained until they are delivered.
  let tracking: RejectedTracking?
  /// Identities of the rejected records in the older file.
  let pending: Set<UInt64>
  /// Masks secrets in the messages of servers.
  private let mask: @Sendable (String) -> String
  /// The older lines, as they were at the start of the run; nil when none are retained, or when there are none.
  let old: (any RecordFile)?
  let state = Mutex(State())

  /// Which lines of an older file are retained.
  enum Retention: Sendable {
    /// No lines, because the run requests everything again.
    case nothing
    /// The items that this run did not request.
    case items
    /// All lines of the older file, except the items that this run requested.
    case all
    /// The items that this run did not request, and the older records that are still pending.
    ///
    /// A record is no longer pending after it is delivered. A record that is rejected again gets a new line.
    indirect case undelivered(RejectedTracking)

    fileprivate var tracking: RejectedTracking? { if case .undelivered(let tracking) = self { tracking } else { nil } }
    var keepsNothing: Bool { if case .nothing = self { true } else { false } }
  }

  /// Opens the rejected records of a run, and reads the older lines that are retained.
  ///
  /// - Parameters:
  ///   - isStrict: whether the first rejected record fails the flow
  ///   - keeping: which lines of the present file are retained
  ///   - mask: masks secrets in the messages of servers
  static func open(
    _ place: any RejectedPlace, of flow: String, isStrict: Bool, keeping: Retention = .nothing,
    mask: @escaping @Sendable (String) -> String = { $0 }
  ) async throws(ReactorError) -> RejectedRecords {
    do throws(ReactorError) {
      let old = keeping.keepsNothing ? nil : try await place.earlier()
      var pending: Set<UInt64> = []
      if let old, let tracking = keeping.tracking {
        try await Self.read(old, at: place.text) { line in
          if let identity = tracking.identity(of: line) { pending.insert(identity) }
        }
      }
      return RejectedRecords(place, flow, isStrict, keeping, old, pending, mask)
    } catch {
      await place.discard()
      throw error
    }
  }

  private init(
    _ place: any RejectedPlace, _ flow: String, _ isStrict: Bool, _ keeping: Retention, _ old: (any RecordFile)?,
    _ pending: Set<UInt64>, _ mask: @escaping @Sendable (String) -> String
  ) {
    self.place = place
    self.flow = flow
    self.isStrict = isStrict
    self.keeping = keeping
    self.pending = pending
    tracking = keeping.tracking
    self.old = old
    self.mask = mask
  }

  /// Whether the rejected records are to be published although the flow fails.
  ///
  /// True for a strict flow after its first rejected record, and for an `each` of which too many items failed.
  func holdsVerdict(because error: ReactorError) -> Bool {
    state.withLock { $0.isJudged || isStrict && error.kind == .parser && $0.report.rejected > 0 }
  }

  /// The report on the rejections so far. It does not count the valid records.
  var report: PruneReport { state.withLock { $0.report } }

  /// Returns a closure that receives the rejected records of one page.
  ///
  /// - Parameters:
  ///   - page: the page number, from 1
  ///   - method: the method of the page's request
  ///   - url: the URL of the page's request, with secrets masked
  ///   - requested: the range and the parents of the page's request
  ///   - transform: the changes to the page's records besides the mapping
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
      // Only the reason is masked: the record is the user's data and is stored unchanged.
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

  /// Receives a failed item.
  ///
  /// - Parameter index: the index among all items of the run, from 0
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

  /// Writes the pending lines to the file. Call it between batches. Does nothing while another task is writing.
  func flush() async throws(ReactorError) {
    let lines: [UInt8]? = state.withLock { state in
      guard !state.isFlushing, !state.lines.isEmpty else { return nil }
      state.isFlushing = true
      defer { state.lines = [] }
      return state.lines
    }
    guard let lines else { return }
    defer { state.withLock { $0.isFlushing = false } }
    try await place.write(lines)
  }

  /// Publishes the lines, which replace the older ones. Without rejected records, the file or table is then empty.
  func publish(_ provenance: Provenance) async throws(ReactorError) {
    try await place.publish(try await complete(provenance))
  }

  /// Completes and returns the rows, so that the load of the result can store them too; nil for a file.
  func staged(_ provenance: Provenance) async throws(ReactorError) -> (load: TableLoad, rows: Database.Rows)? {
    let provenance = try await complete(provenance)
    return place.load(provenance)
  }

  /// Stages all remaining lines, and counts them.
  private func complete(_ provenance: Provenance) async throws(ReactorError) -> Provenance {
    try await flush()
    try await keepOld(keeping)
    var provenance = provenance
    provenance.recordCount = state.withLock { $0.count }
    return provenance
  }

  /// Publishes the rejected records of a flow that fails.
  ///
  /// Returns the reason of the failure. If the records cannot be published, that error is added to its message.
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

  /// Returns an object that holds the rejected records of requests whose records may be discarded.
  func holding(in environment: FlowEnvironment) -> RejectedRecords {
    RejectedRecords(HeldRejectedRecords(in: environment), flow, isStrict, keeping, nil, pending, mask)
  }

  /// Adds the rejected records that another object holds, after those of all earlier requests.
  func take(_ held: RejectedRecords) async throws(ReactorError) {
    try await held.flush()
    let (report, rejected) = held.state.withLock { ($0.report, $0.rejected) }
    let count = held.state.withLock { $0.count }
    state.withLock { state in
      state.count += count
      state.report.append(report)
      state.rejected.formUnion(rejected)
    }
    try await held.place.pour { (lines) async throws(ReactorError) in
      state.withLock { $0.lines += lines }
      try await flush()
    }
  }

  /// Discards the pending lines and releases the path. The existing file does not change.
  func discard() async { await place.discard() }
}
