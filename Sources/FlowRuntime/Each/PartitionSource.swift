internal import JSONSyntax
internal import ReactorCore

/// Combines the records of several parents in order.
///
/// The first parent is read as a stream. The last parent varies fastest.
actor PartitionSource: PartitionProvider {
  /// The maximum size of the records of all parents except the first, as JSON text, together.
  private static let heldBytes = 32 << 20

  private let names: [String]
  private var first: ParentReader
  private var others: [ParentReader]
  /// All records of each parent except the first; nil before they are read.
  private var lists: [[JSONValue]]?
  /// The current record of the first parent.
  private var record: JSONValue?
  /// The index of the current record in each of `lists`.
  private var indices: [Int] = []
  private var count = 0
  /// The maximum number of records in a batch; nil for no batches.
  private let batch: Int?
  /// Leaves out parents that were requested already; nil to request all.
  private let changed: ChangedParents?
  private let isLimited: Bool
  private var unchanged: Set<String> = []
  private var isExhausted = false
  /// Why records are missing from the parents that were already read to their end; nil when none are.
  private var shortfall: ReactorError?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - parents: at least one
  ///   - batch: how many records of the only parent form a batch; nil for no batches
  ///   - changed: leaves out parents that were requested already; nil to leave out none
  ///   - isLimited: whether a limit leaves out some records of the parents
  init(
    _ parents: [(name: String, reader: ParentReader)], batch: Int? = nil, changed: ChangedParents? = nil,
    isLimited: Bool = false
  ) {
    self.batch = batch
    self.changed = changed
    self.isLimited = isLimited
    names = parents.map(\.name)
    first = parents.first?.reader ?? ParentReader(.values([]), limit: nil)
    others = parents.dropFirst().map(\.reader)
  }

  /// Returns the next combination or batch; nil at the end. Only one task at a time may call it.
  func next() async throws(ReactorError) -> Partition? {
    if let batch { return try await nextBatch(batch) }
    while let values = try await nextCombination() {
      if isUnchanged(values) { continue }
      defer { count += 1 }
      return Partition(index: count, values: values)
    }
    isExhausted = true
    return nil
  }

  func ending() -> PartitionEnding {
    let shortfall = shortfall ?? first.shortfall
    return PartitionEnding(
      shortfall: shortfall, unchanged: unchanged, isWhole: isExhausted && !isLimited && shortfall == nil)
  }

  private func isUnchanged(_ values: [(name: String, value: JSONValue)]) -> Bool {
    guard let identity = changed?.unchanged(values) else { return false }
    unchanged.insert(identity)
    return true
  }

  private func nextCombination() async throws(ReactorError) -> [(name: String, value: JSONValue)]? {
    let lists = try await heldLists()
    guard !lists.contains(where: \.isEmpty) else { return nil }
    if record == nil || !advance(lists) {
      record = try await nextRecord()
      indices = [Int](repeating: 0, count: lists.count)
    }
    guard let record else { return nil }
    let values = [record] + zip(lists, indices).map { $0[$1] }
    return Array(zip(names, values)).map { (name: $0, value: $1) }
  }

  private func nextBatch(_ size: Int) async throws(ReactorError) -> Partition? {
    var records: [JSONValue] = []
    let name = names.first ?? "batch"
    while records.count < size {
      guard let record = try await nextRecord() else {
        isExhausted = true
        break
      }
      if !isUnchanged([(name, record)]) { records.append(record) }
    }
    guard !records.isEmpty else { return nil }
    defer { count += 1 }
    return Partition(index: count, values: [(name: name, value: .array(records))], batch: records)
  }

  private func nextRecord() async throws(ReactorError) -> JSONValue? {
    var reader = first
    let record = try await reader.record()
    first = reader
    return record
  }

  /// Moves to the next combination with the same first record; false when there is none.
  private func advance(_ lists: [[JSONValue]]) -> Bool {
    for list in lists.indices.reversed() {
      indices[list] += 1
      if indices[list] < lists[list].count { return true }
      indices[list] = 0
    }
    return false
  }

  private func heldLists() async throws(ReactorError) -> [[JSONValue]] {
    if let lists { return lists }
    var read: [[JSONValue]] = []
    var bytes = 0
    for (index, other) in others.enumerated() {
      var reader = other
      var records: [JSONValue] = []
      while let record = try await reader.record() {
        bytes += JSONWriter.bytes(record).count
        guard bytes <= Self.heldBytes else {
          throw .server(
            "with the records of '\(names[index + 1])', the parents after the first are more than "
              + "\(Self.heldBytes >> 20) MiB of JSON; declare the parent with the most records first, because only "
              + "the first parent is read as a stream")
        }
        records.append(record)
      }
      shortfall = shortfall ?? reader.shortfall
      read.append(records)
    }
    lists = read
    others = []
    return read
  }
}
