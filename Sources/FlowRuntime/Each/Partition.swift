internal import JSONSyntax
internal import ReactorCore

/// One combination of the parents' records, or a batch of them: what one request, or one row of pages, is made for.
struct Partition: Sendable {
  /// Its place among all, from 0.
  var index: Int
  /// A record or value of each parent under the parent's name, in the order of the parents; of a batch all of them.
  var values: [(name: String, value: JSONValue)]
  /// The records of a batch in order; nil where it is none.
  var batch: [JSONValue]?
  /// What is asked for of it whatever is remembered; nil for what a run asks for.
  var ranges: [CursorRange]?

  /// How many items it has: records of a batch, else one.
  var count: Int { batch?.count ?? 1 }

  /// The values as JSON text.
  var text: [UInt8] { JSONWriter.bytes(value) }

  /// The values as one object.
  var value: JSONValue { Self.object(values) }

  /// What one of its items is made of: a record or value by each parent's name.
  func item(_ index: Int) -> JSONValue {
    guard let batch, let name = values.first?.name, batch.indices.contains(index) else { return Self.object(values) }
    return Self.object([(name, batch[index])])
  }

  private static func object(_ values: [(name: String, value: JSONValue)]) -> JSONValue {
    .object(JSONObject(values.map { JSONObject.Member(name: $0.name, value: $0.value) }))
  }

  /// The values for people: `{"id":7}`, or with several parents `parent {"id":7}, status open`; cut when they are long.
  var words: String {
    if let batch, let first = batch.first {
      return batch.count == 1 ? Self.short(first) : "\(batch.count) records from \(Self.short(first)) on"
    }
    let texts = values.map { name, value in values.count == 1 ? Self.short(value) : "\(name) \(Self.short(value))" }
    return texts.joined(separator: ", ")
  }

  /// One of its items for people.
  func words(ofItem index: Int) -> String {
    guard let batch, batch.indices.contains(index) else { return words }
    return Self.short(batch[index])
  }

  private static func short(_ value: JSONValue) -> String {
    let text = String(decoding: JSONWriter.bytes(value).prefix(200), as: UTF8.self)
    return text.count > 80 ? text.prefix(79) + "…" : text
  }
}

/// Gives partitions one after the other; asked by one task at a time.
protocol PartitionProvider: Sendable {
  /// The next one; nil at the end. Waits where more may come.
  func next() async throws(ReactorError) -> Partition?
  /// What is known when the last one was given.
  func ending() async -> PartitionEnding
}

/// What is known of the parents of a flow when all partitions were given.
struct PartitionEnding: Sendable {
  /// Why the parents are less than there should be, when that is accepted.
  var shortfall: ReactorError?
  /// Identities of parents that were left out because they have not changed.
  var unchanged: Set<String> = []
  /// Whether all parents that there are were given, or left out because they have not changed.
  var isWhole = false
}
