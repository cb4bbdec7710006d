internal import JSONSyntax

/// A golden and its pending replacement, as steps that a person decides one by one.
package struct GoldenReview: Sendable {
  /// One decision: all differences of one record, or of one of the flow's decisions.
  package struct Step: Sendable {
    /// The record's key, or the name of the flow's decision.
    package let name: String
    /// The differences between the golden and its replacement.
    package let differences: [GoldenDifference]
  }

  /// The person's decision on a step.
  package enum Decision: Sendable, Hashable {
    /// The replacement is correct.
    case accept
    /// The golden is correct.
    case reject
    /// No decision yet; the difference stays pending.
    case skip
  }

  /// The file name of the golden.
  package let file: String
  /// The steps in the order of the golden.
  package let steps: [Step]
  private let content: Content

  private enum Content: Sendable {
    case records(old: GoldenRecords, new: GoldenRecords)
    case decisions(old: JSONValue, new: JSONValue)
    /// There is no golden yet, or its records have no keys. The file can only be accepted or rejected as a whole.
    case whole(old: [UInt8]?, new: [UInt8])
  }

  /// Compares a pending golden in a folder with the golden. Nil when none is pending.
  package init?(of file: String, in folder: FixtureFolder, key: [String]) throws(FixtureError) {
    guard let new = try folder.golden(file + FixtureFolder.pending) else { return nil }
    self.file = file
    let old = try folder.golden(file)
    guard let old else {
      steps = [Step(name: "the whole file, which is new", differences: [])]
      content = .whole(old: nil, new: new)
      return
    }
    guard Self.isReadable(old, file, key) else {
      steps = [Step(name: "the whole file, because the golden cannot be read", differences: [])]
      content = .whole(old: old, new: new)
      return
    }
    if file == FixtureFolder.decisions {
      let (before, after) = (
        try Self.value(old, folder.path(file)), try Self.value(new, folder.path(file) + FixtureFolder.pending)
      )
      var names: [String] = []
      var groups: [String: [GoldenDifference]] = [:]
      for difference in GoldenDifference.between(before, after) {
        guard case .name(let name)? = difference.steps.first else { continue }
        if groups[name] == nil { names.append(name) }
        groups[name, default: []].append(difference)
      }
      steps = names.map { Step(name: $0, differences: groups[$0] ?? []) }
      content = .decisions(old: before, new: after)
      return
    }
    let before = try GoldenRecords(parsing: old, key: key, path: folder.path(file))
    let after = try GoldenRecords(parsing: new, key: key, path: folder.path(file) + FixtureFolder.pending)
    let differences = GoldenDifference.between(before, after)
    guard before.isKeyed else {
      steps = [Step(name: "all records, which have no key", differences: differences)]
      content = .whole(old: old, new: new)
      return
    }
    var names: [String] = []
    var groups: [String: [GoldenDifference]] = [:]
    for difference in differences {
      let name = difference.key ?? ""
      if groups[name] == nil { names.append(name) }
      groups[name, default: []].append(difference)
    }
    steps = names.map { Step(name: $0, differences: groups[$0] ?? []) }
    content = .records(old: before, new: after)
  }

  /// Writes the decisions: the golden with the accepted steps, and a pending golden with the undecided steps.
  ///
  /// - Parameter decisions: the decision for each step
  package func settle(_ decisions: [Decision], in folder: FixtureFolder) throws(FixtureError) {
    let accepted = bytes { decisions.indices.contains($0) && decisions[$0] == .accept }
    let open = bytes { !decisions.indices.contains($0) || decisions[$0] != .reject }
    if let accepted, try accepted != folder.golden(file) {
      try FixtureFiles.write(accepted, to: folder.path(file))
    }
    let pending = folder.path(file) + FixtureFolder.pending
    if let open, open != accepted {
      try FixtureFiles.write(open, to: pending)
    } else {
      try FixtureFiles.remove(pending)
    }
  }

  /// Returns the golden with the changes of the steps for which `isTaken` is true. Nil when no file remains.
  private func bytes(taking isTaken: (Int) -> Bool) -> [UInt8]? {
    switch content {
    case .whole(let old, let new): return isTaken(0) ? new : old
    case .decisions(let old, let new):
      guard case .object(var object) = old, case .object(let other) = new else { return nil }
      for (index, step) in steps.enumerated() where isTaken(index) { object[step.name] = other[step.name] }
      // The members get the order of the replacement. If all steps are accepted, the bytes are equal to the
      // replacement's.
      let order = Dictionary(other.members.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
      let members = object.members.enumerated().sorted {
        (order[$0.element.name] ?? .max, $0.offset) < (order[$1.element.name] ?? .max, $1.offset)
      }
      return JSONWriter.bytes(.object(JSONObject(members.map(\.element))), style: .pretty) + [0x0A]
    case .records(let old, let new):
      let taken = Set(steps.enumerated().filter { isTaken($0.offset) }.map(\.element.name))
      let known = Set(old.records.map(\.key))
      let fresh = Dictionary(new.records.map { ($0.key, $0.value) }) { first, _ in first }
      var records = old.records.compactMap { record -> GoldenRecords.Record? in
        guard taken.contains(record.key) else { return record }
        return fresh[record.key].map { GoldenRecords.Record(key: record.key, value: $0) }
      }
      records += new.records.filter { taken.contains($0.key) && !known.contains($0.key) }
      records.sort { NaturalOrder.precedes($0.key, $1.key) }
      var bytes: [UInt8] = []
      for record in records {
        JSONWriter.write(record.value, into: &bytes)
        bytes.append(0x0A)
      }
      return bytes
    }
  }

  /// Whether a golden can be read. For example, it cannot be read when it contains an unresolved merge conflict.
  package static func isReadable(_ bytes: [UInt8], _ file: String, _ key: [String] = []) -> Bool {
    if file == FixtureFolder.decisions { return (try? JSONValue(parsing: bytes)) != nil }
    return (try? GoldenRecords(parsing: bytes, key: key, path: file)) != nil
  }

  private static func value(_ bytes: [UInt8], _ path: String) throws(FixtureError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw FixtureError("\(path): \(error.message)", help: "restore the file, or replace it with 'reactor accept'")
    }
  }
}
