package import JSONSyntax

/// One difference between a flow's run and its golden.
package struct GoldenDifference: Sendable, Hashable {
  /// The kind of a difference.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A value differs.
    case changed
    /// The run has a record that the golden does not have.
    case added
    /// The golden has a record that the run does not have.
    case removed
    /// A decision of the flow differs, such as its requests, waits or rejected records.
    case decision
  }

  /// The kind of the difference.
  package var kind: Kind
  /// The file name of the golden.
  package var file: String
  /// The record's key; nil for decisions.
  package var key: String?
  /// The path of the value in the record or in the decisions.
  package var path: String
  /// The same path as a list of steps.
  package var steps: [JSONPath.Step]
  /// The golden's value; nil when the golden has none.
  package var expected: JSONValue?
  /// The run's value; nil when the run has none.
  package var actual: JSONValue?

  /// Returns the differences between golden records and the records of a run.
  package static func between(_ golden: GoldenRecords, _ run: GoldenRecords) -> [GoldenDifference] {
    golden.isKeyed && run.isKeyed ? byKey(golden, run) : byPlace(golden, run)
  }

  /// Returns the differences between golden decisions and the decisions of a run.
  package static func between(_ golden: JSONValue, _ run: JSONValue) -> [GoldenDifference] {
    var differences: [JSONDifference] = []
    var reported: Set<String> = []
    for difference in JSONDifference.between(golden, run) {
      guard case .name(let name)? = difference.steps.first, let old = golden[name]?.array, let new = run[name]?.array,
        name == "requests" || name == "order"
      else {
        differences.append(difference)
        continue
      }
      // These lists are not compared by index: one missing element would make all later elements differ.
      guard reported.insert(name).inserted else { continue }
      differences +=
        name == "order" ? [.init([.name(name)], .array(old), .array(new))] : requests(old, new)
    }
    return differences.map {
      GoldenDifference(
        kind: .decision, file: FixtureFolder.decisions, key: nil, path: $0.path, steps: $0.steps,
        expected: $0.expected, actual: $0.actual)
    }
  }

  /// Returns the requests that are missing, that are new, and whose responses have another status.
  private static func requests(_ old: [JSONValue], _ new: [JSONValue]) -> [JSONDifference] {
    func name(_ value: JSONValue) -> String {
      let text = value.string ?? ""
      return text.firstRange(of: " -> ").map { String(text[..<$0.lowerBound]) } ?? text
    }
    let known = Dictionary(old.map { (name($0), $0) }) { first, _ in first }
    let given = Dictionary(new.map { (name($0), $0) }) { first, _ in first }
    /// Two requests for the same path count as one request that has changed.
    func address(_ value: JSONValue) -> String { String(name(value).prefix { $0 != "?" }) }
    var differences: [JSONDifference] = []
    var rest = new.enumerated().filter { known[name($0.element)] == nil }.map { (index: $0.offset, value: $0.element) }
    for (index, value) in old.enumerated() where given[name(value)] != value {
      var other = given[name(value)]
      if other == nil, let match = rest.firstIndex(where: { address($0.value) == address(value) }) {
        other = rest.remove(at: match).value
      }
      differences.append(.init([.name("requests"), .index(index)], value, other))
    }
    for (index, value) in rest { differences.append(.init([.name("requests"), .index(index)], nil, value)) }
    return differences
  }

  private static func byKey(_ golden: GoldenRecords, _ run: GoldenRecords) -> [GoldenDifference] {
    var new: [String: JSONValue] = [:]
    for record in run.records { new[record.key] = record.value }
    var known: Set<String> = []
    var differences: [GoldenDifference] = []
    for record in golden.records {
      known.insert(record.key)
      if let value = new[record.key] {
        differences += changes(record.key, record.value, value)
      } else {
        differences.append(whole(.removed, record.key, record.value))
      }
    }
    for record in run.records where !known.contains(record.key) {
      differences.append(whole(.added, record.key, record.value))
    }
    return differences
  }

  /// Compares records without keys.
  ///
  /// Equal records at the beginning and at the end are skipped. The remaining records are compared by their order.
  private static func byPlace(_ golden: GoldenRecords, _ run: GoldenRecords) -> [GoldenDifference] {
    var (old, new) = (golden.records[...], run.records[...])
    while let left = old.first, let right = new.first, JSONDifference.between(left.value, right.value).isEmpty {
      old.removeFirst()
      new.removeFirst()
    }
    while let left = old.last, let right = new.last, JSONDifference.between(left.value, right.value).isEmpty {
      old.removeLast()
      new.removeLast()
    }
    var differences: [GoldenDifference] = []
    for (left, right) in zip(old, new) { differences += changes(left.key, left.value, right.value) }
    differences += old.dropFirst(new.count).map { whole(.removed, $0.key, $0.value) }
    differences += new.dropFirst(old.count).map { whole(.added, $0.key, $0.value) }
    return differences
  }

  private static func changes(_ key: String, _ old: JSONValue, _ new: JSONValue) -> [GoldenDifference] {
    JSONDifference.between(old, new).map {
      GoldenDifference(
        kind: .changed, file: FixtureFolder.records, key: key, path: $0.path, steps: $0.steps, expected: $0.expected,
        actual: $0.actual)
    }
  }

  private static func whole(_ kind: Kind, _ key: String, _ value: JSONValue) -> GoldenDifference {
    GoldenDifference(
      kind: kind, file: FixtureFolder.records, key: key, path: "$", steps: [],
      expected: kind == .removed ? value : nil, actual: kind == .added ? value : nil)
  }
}
