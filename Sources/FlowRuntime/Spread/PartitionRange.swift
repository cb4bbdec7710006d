internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// Consecutive partitions of a flow whose requests one process sends.
struct PartitionRange: Sendable {
  /// The number of partitions of a range, except the last one.
  static let size = 50

  /// The number of the range in the flow, from 0.
  let number: Int
  let partitions: [Partition]
  /// The cursor's positions of these parents, by the identity of the parent.
  var positions: [String: String] = [:]
  /// The present time of the flow's cursor.
  var now = ExpressionTimestamp.epoch

  init(_ number: Int, _ partitions: [Partition]) {
    self.number = number
    self.partitions = partitions
  }
}

// MARK: - JSON

/// `{"now":[1700000000,0],"positions":{"7":"2024-01-31"},"partitions":[[["customer",{"id":7}]]]}`
///
/// A batch is an object: `{"name":"customers","records":[…]}`.
extension PartitionRange {
  var json: [UInt8] {
    let positions = positions.sorted { $0.key < $1.key }.map {
      JSONObject.Member(name: $0.key, value: .string($0.value))
    }
    return JSONWriter.bytes(
      .object([
        "now": .array([.integer(now.secondsSince1970), .integer(Int64(now.nanosecond))]),
        "positions": .object(JSONObject(positions)),
        "partitions": .array(partitions.map(\.json)),
      ]))
  }

  /// Reads a range; its partitions are numbered from 0. Nil for other bytes.
  init?(_ number: Int = 0, json bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), let time = json["now"]?.array, time.count == 2,
      let seconds = time[0].int64, let nanosecond = time[1].int64,
      let now = ExpressionTimestamp(secondsSince1970: seconds, nanosecond: Int(clamping: nanosecond)),
      case .object(let positions)? = json["positions"], let list = json["partitions"]?.array
    else { return nil }
    let partitions = list.indices.compactMap { Partition(index: $0, json: list[$0]) }
    guard partitions.count == list.count else { return nil }
    self.init(number, partitions)
    self.now = now
    for member in positions.members { self.positions[member.name] = member.value.string }
  }
}

extension Partition {
  fileprivate var json: JSONValue {
    if let batch, let name = values.first?.name { return .object(["name": .string(name), "records": .array(batch)]) }
    return .array(values.map { .array([.string($0.name), $0.value]) })
  }

  fileprivate init?(index: Int, json: JSONValue) {
    if let records = json["records"]?.array, let name = json["name"]?.string {
      self.init(index: index, values: [(name: name, value: .array(records))], batch: records)
      return
    }
    var values: [(name: String, value: JSONValue)] = []
    for pair in json.array ?? [] {
      guard let pair = pair.array, pair.count == 2, let name = pair[0].string else { return nil }
      values.append((name: name, value: pair[1]))
    }
    guard !values.isEmpty else { return nil }
    self.init(index: index, values: values)
  }
}

/// The partitions of a range, in order.
actor ListedPartitions: PartitionProvider {
  private var left: ArraySlice<Partition>

  init(_ partitions: [Partition]) { left = partitions[...] }

  func next() -> Partition? { left.popFirst() }

  func ending() -> PartitionEnding { PartitionEnding() }
}
