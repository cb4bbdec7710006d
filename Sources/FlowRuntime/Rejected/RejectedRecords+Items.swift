internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

extension RejectedRecords {
  /// Notes that the flow fails because all of its items failed, or more than allowed.
  func judge() { state.withLock { $0.isJudged = true } }

  /// Notes the items that this run requested. Their lines in the older file are not copied.
  func note(tried partition: Partition) {
    guard old != nil else { return }
    let digests = (0..<partition.count).map { Self.digest(partition.item($0)) }
    state.withLock { $0.tried.formUnion(digests) }
  }

  /// Copies the lines of the older file that are retained.
  func keepOld(_ keeping: Retention) async throws(ReactorError) {
    guard !keeping.keepsNothing, let old else { return }
    let (tried, left) = state.withLock { ($0.tried, pending.subtracting($0.rejected).subtracting($0.delivered)) }
    var lines: [UInt8] = []
    var count = 0
    try await Self.read(old, at: place.text) { line in
      let stays =
        switch (line["each"], keeping) {
        case (let item?, _): !tried.contains(Self.digest(item))
        case (nil, .all): true
        case (nil, .undelivered(let tracking)): tracking.identity(of: line).map(left.contains) ?? true
        case (nil, _): false
        }
      guard stays else { return }
      JSONWriter.write(line, into: &lines)
      lines.append(0x0A)
      count += 1
    } pause: { () async throws(ReactorError) in
      guard !lines.isEmpty else { return }
      try await place.write(lines)
      lines = []
    }
    if !lines.isEmpty { try await place.write(lines) }
    state.withLock { $0.count += count }
  }

  static func unreadable(_ path: String, _ error: ReactorError) -> ReactorError {
    guard error.kind == .parser else { return error }
    return .persistence(
      "\(path) contains rejected records and cannot be read: \(error.description) (fix it or move it away)",
      path: path)
  }

  private static func digest(_ item: JSONValue) -> UInt64 { ContentHash.of(JSONWriter.bytes(item)) }
}

/// The items in a file of rejected records, as partitions for a retry.
actor RejectedItems: PartitionProvider {
  private let path: String
  private let names: [String]
  private let batch: Int?
  private var reader: ParentReader
  /// The parts to request for rejected records, after the items.
  private var parts: ArraySlice<RejectedPart>
  private var count = 0
  /// A line with an item that was read ahead: it belongs to the next partition.
  private var next: JSONValue?

  /// Creates a provider of the items in a file of rejected records.
  ///
  /// - Parameters:
  ///   - names: the names of the parents, in order
  ///   - batch: the maximum number of items in a batch; nil for no batches
  ///   - parts: the parts to request after the items
  init(_ reader: ParentReader, of path: String, names: [String], batch: Int?, then parts: [RejectedPart]) {
    self.parts = parts[...]
    self.reader = reader
    self.path = path
    self.names = names
    self.batch = batch
  }

  /// Whether there are no items and no parts. Reads up to the first item.
  func isEmpty() async throws(ReactorError) -> Bool {
    next = try await item()
    return next == nil && parts.isEmpty
  }

  func next() async throws(ReactorError) -> Partition? {
    guard let first = try await item() else { return try nextPart() }
    defer { count += 1 }
    guard let batch else { return Partition(index: count, values: try values(of: first["each"])) }
    // Items that were sent together form the same batch again, so the request and its idempotency key are the same.
    let number = first["batch"]
    var records = try values(of: first["each"]).map(\.value)
    while records.count < batch, let item = try await item() {
      guard item["batch"] == number else {
        next = item
        break
      }
      records += try values(of: item["each"]).map(\.value)
    }
    return Partition(index: count, values: [(name: names.first ?? "", value: .array(records))], batch: records)
  }

  private func nextPart() throws(ReactorError) -> Partition? {
    guard let part = parts.popFirst() else { return nil }
    defer { count += 1 }
    let values = try values(of: part.parents)
    return Partition(
      index: count, values: values, batch: batch.flatMap { _ in values.first?.value.array }, ranges: part.ranges)
  }

  /// A retry requests only some of the parents, so `isWhole` is false.
  func ending() -> PartitionEnding { PartitionEnding() }

  /// Returns the next line with an item; nil at the end.
  private func item() async throws(ReactorError) -> JSONValue? {
    if let held = next {
      next = nil
      return held
    }
    var reader = reader
    defer { self.reader = reader }
    do throws(ReactorError) {
      while let line = try await reader.record() {
        if line["each"] != nil { return line }
      }
      return nil
    } catch {
      throw RejectedRecords.unreadable(path, error)
    }
  }

  private func values(of item: JSONValue?) throws(ReactorError) -> [(name: String, value: JSONValue)] {
    var values: [(name: String, value: JSONValue)] = []
    guard case .object(let object)? = item else { return values }
    for name in names {
      guard let value = object[name] else {
        let found = object.members.map(\.name).joined(separator: ", ")
        throw .persistence(
          "\(path) contains items of '\(found)', but the flow now sends a request for each "
            + "'\(names.joined(separator: ", "))' (retry them with the earlier version of the flow, or edit the file)",
          path: path)
      }
      values.append((name: name, value: value))
    }
    return values
  }
}
