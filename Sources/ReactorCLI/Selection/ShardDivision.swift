internal import JSONSyntax
internal import ByteCodings
internal import RunViews
internal import Storage

/// Which flows belong to which part of one run, decided by the durations of earlier runs.
///
/// The longest flow goes first, always to the part with the least work. The division is a list of flows, and not a rule,
/// because all parts of a run must have the same one although the history of durations changes while the run goes on.
/// Flows that the division does not have belong to the part that follows from their ids (`FlowShard`).
package struct ShardDivision: Sendable, Hashable {
  /// The engine's id of the run.
  package let run: String
  package let count: Int
  /// The flows of each part, in the order in which they were given; without flows, all ids decide.
  package let parts: [[String]]
  private let numbers: [String: Int]

  private init(run: String, count: Int, parts: [[String]]) {
    (self.run, self.count, self.parts) = (run, count, parts)
    var numbers: [String: Int] = [:]
    for (index, part) in parts.enumerated() {
      for id in part { numbers[id] = index + 1 }
    }
    self.numbers = numbers
  }

  /// Divides flows.
  ///
  /// - Parameters:
  ///   - durations: milliseconds by flow; a flow without one counts as long as the flow in the middle
  package init(of ids: [String], by durations: [String: Int64], count: Int, run: String) {
    let known = ids.compactMap { durations[$0] }.sorted()
    guard count > 1, !known.isEmpty else {
      self.init(run: run, count: count, parts: [])
      return
    }
    let usual = known[known.count / 2]
    let weighted = ids.map { (id: $0, weight: max(durations[$0] ?? usual, 1)) }
      .sorted { ($1.weight, $0.id) < ($0.weight, $1.id) }
    var parts = [[String]](repeating: [], count: count)
    var loads = [Int64](repeating: 0, count: count)
    for (id, weight) in weighted {
      let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      parts[least].append(id)
      loads[least] += weight
    }
    self.init(run: run, count: count, parts: parts)
  }

  /// The number of the part to which a flow belongs, from 1.
  package func number(of id: String) -> Int { numbers[id] ?? FlowShard.number(of: id, count: count) }

  /// A short text that only the same division has; nil if ids alone decide.
  package var name: String? { parts.isEmpty ? nil : String(Hex.text(ContentHash.of(line)).suffix(8)) }

  // MARK: - Lines

  /// The division as JSON on one line, without the line end.
  package var line: [UInt8] {
    let parts = parts.map { JSONValue.array($0.map { .string($0) }) }
    return JSONWriter.bytes(
      .object([
        "run": .string(run), "count": .integer(Int64(count)), "parts": .array(parts),
      ]))
  }

  /// Reads a line; nil for a line of another format, or one whose parts are not as many as it says.
  package init?(line: some Sequence<UInt8>) {
    guard let value = try? JSONValue(parsing: Array(line)), let run = value["run"]?.string,
      let count = value["count"]?.int64, count > 0, let parts = value["parts"]?.array,
      parts.isEmpty || parts.count == count
    else { return nil }
    self.init(
      run: run, count: Int(clamping: count), parts: parts.map { ($0.array ?? []).compactMap { $0.string } })
  }
}
