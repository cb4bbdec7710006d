internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// One combination of the parents' records, or a batch of records of the only parent.
///
/// A partition has one request, or one sequence of pages.
struct Partition: Sendable {
  /// The index among all partitions, from 0.
  var index: Int
  /// The name of each parent with its record or value, in the order of the parents; for a batch, the name of the only
  /// parent with the list of its records.
  var values: [(name: String, value: JSONValue)]
  /// The records of a batch, in order; nil for a partition that is not a batch.
  var batch: [JSONValue]?
  /// The ranges to request instead of the ranges from the remembered state; nil in a normal run.
  var ranges: [CursorRange]?
  /// The responses that another process has got to the requests of these parents; nil to send the requests here.
  var gathered: GatheredResponses?

  /// The number of items: the records of a batch, else one.
  var count: Int { batch?.count ?? 1 }

  /// The values as JSON text.
  var text: [UInt8] { JSONWriter.bytes(value) }

  /// The values as one object, with a member for each parent.
  var value: JSONValue { Self.object(values) }

  /// The values for templates, by the name of the parent.
  var expressionValues: [String: ExpressionValue] {
    var values: [String: ExpressionValue] = [:]
    for (name, value) in self.values { values[name] = ExpressionValue(value) }
    return values
  }

  /// The values of one item, as an object with a member for each parent.
  func item(_ index: Int) -> JSONValue {
    guard let batch, let name = values.first?.name, batch.indices.contains(index) else { return Self.object(values) }
    return Self.object([(name, batch[index])])
  }

  private static func object(_ values: [(name: String, value: JSONValue)]) -> JSONValue {
    .object(JSONObject(values.map { JSONObject.Member(name: $0.name, value: $0.value) }))
  }

  /// The values as text for people; long values are cut.
  ///
  /// Examples: `{"id":7}`, or with several parents `parent {"id":7}, status open`.
  var words: String {
    if let batch, let first = batch.first {
      return batch.count == 1 ? Self.short(first) : "\(batch.count) records from \(Self.short(first)) on"
    }
    let texts = values.map { name, value in values.count == 1 ? Self.short(value) : "\(name) \(Self.short(value))" }
    return texts.joined(separator: ", ")
  }

  /// One item as text for people.
  func words(ofItem index: Int) -> String {
    guard let batch, batch.indices.contains(index) else { return words }
    return Self.short(batch[index])
  }

  private static func short(_ value: JSONValue) -> String {
    let text = String(decoding: JSONWriter.bytes(value).prefix(200), as: UTF8.self)
    return text.count > 80 ? text.prefix(79) + "…" : text
  }
}

/// Provides partitions one after the other. Only one task at a time may call it.
protocol PartitionProvider: Sendable {
  /// Returns the next partition; nil at the end. Waits while more partitions may arrive.
  func next() async throws(ReactorError) -> Partition?
  /// Returns the facts about the parents that are known after the last partition.
  func ending() async -> PartitionEnding
  /// Releases what the provider uses, also before its end.
  func close() async
}

extension PartitionProvider {
  func close() async {}
}

/// The facts about a flow's parents that are known after the last partition.
struct PartitionEnding: Sendable {
  /// Why parents are missing, if the flow accepts that; nil when none are.
  var shortfall: ReactorError?
  /// The identities of the parents that were left out because they have not changed.
  var unchanged: Set<String> = []
  /// Whether every existing parent was provided, or left out because it has not changed.
  var isWhole = false
}
