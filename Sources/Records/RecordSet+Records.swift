internal import JSONSyntax
public import ReactorCore

extension RecordSet {
  /// The records one by one, read on demand. Each iteration begins at the first record.
  public var records: Records { Records(set: self) }

  /// The records of a set, in their order.
  public struct Records: AsyncSequence, Sendable {
    let set: RecordSet

    /// Starts an iteration at the first record.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(set) }

    /// Reads the records in chunks of about 256 KiB.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let set: RecordSet
      private let scanner: RecordScanner
      private var body: ResponseBody?
      private var isOver = false
      private var ready: ArraySlice<Record> = []

      init(_ set: RecordSet) {
        self.set = set
        scanner = RecordScanner(
          plan: MappingPlan(set.schema.persisted), selection: set.format == .jsonLines ? .lines : .at([]),
          isStrict: true, limits: RecordLimits())
      }

      /// The next record; nil after the last record.
      public mutating func next() async throws(ReactorError) -> Record? {
        while ready.isEmpty, !isOver { try await fill() }
        return ready.popFirst()
      }

      private mutating func fill() async throws(ReactorError) {
        if body == nil { body = try await set.body() }
        let chunk = try await body?.next()
        var records: [Record] = []
        func take(_ batch: RecordBatch) {
          for row in 0..<batch.count { records.append(Record(batch.record(row))) }
        }
        if let chunk {
          try scanner.append(chunk) { (batch) throws(ReactorError) in take(batch) }
        } else {
          try scanner.finish { (batch) throws(ReactorError) in take(batch) }
          isOver = true
        }
        ready = records[...]
      }
    }
  }
}
