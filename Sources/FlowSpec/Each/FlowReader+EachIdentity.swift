internal import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the maximum number of partitions that may fail.
  mutating func maxFailed(_ onError: String?, _ nodes: FieldNodes) -> CountOrShare? {
    guard let bound = read(EachKeys.maxFailed, of: nodes) else { return nil }
    guard onError != "fail" else {
      return fail(
        .misplacedKey, "'max_failed' has no effect with 'on_error: fail'",
        at: nodes.key(EachKeys.maxFailed), help: "remove one of the two")
    }
    return bound
  }

  /// Reads the fields that identify a parent's record. Values have no fields, so a key is an error for them.
  mutating func parentKey(_ value: FieldValue, of source: EachSource) -> [Located<String>] {
    if !source.givesRecords {
      report(
        .eachSource, "'key' names fields, and values have none", at: value.key,
        help: "leave it out: a value identifies itself")
      return []
    }
    guard let values = oneOrMore(of: value) else { return [] }
    if values.isEmpty { report(.missingValue, "'key' is empty", at: value.node.range, help: "leave it out") }
    return names(values, role: .field)
  }

  /// Reads `only: changed` and returns its source location.
  mutating func onlyChanged(_ nodes: FieldNodes, of source: EachSource) -> SourceRange? {
    guard read(EachKeys.only, of: nodes) != nil, let value = nodes.value(EachKeys.only) else { return nil }
    guard !source.givesRecords else { return value.node.range }
    return fail(
      .eachSource, "'only: changed' cannot be used with 'values': a fixed list has no records to compare",
      at: value.key,
      help: "remove 'only', or take the parents from a 'flow' or a 'file'")
  }

  /// Checks that the result of a flow with `only: changed` keeps the records of unchanged parents.
  mutating func checkChanged(
    _ each: Each<EachSource>?, _ persistence: Reading<ResultStorage<WrittenTarget>>, _ pages: Pages?
  ) {
    guard let location = each?.parents.lazy.compactMap(\.onlyChanged).first, !persistence.isBroken else { return }
    guard let persistence = persistence.value else {
      report(
        .eachChanged, "without a persisted result the records of unchanged parents would be lost",
        at: location, help: "add 'persistence: { path: out/records.jsonl, mode: merge }', or leave out 'only'")
      return
    }
    switch persistence.mode {
    case .merge: break
    case .replace:
      report(
        .eachChanged, "'mode: replace' would lose the records of unchanged parents", at: location,
        notes: [Diagnostic.Note("the result is declared here", at: persistence.target?.range)],
        help: "add 'mode: merge' to 'persistence', and a key to the schema; or leave out 'only'")
    case .append:
      guard pages?.keepsPart ?? false else { return }
      report(
        .eachChanged,
        "'partial: keep' requests parents again, and 'mode: append' would store their records twice",
        at: location, help: "use 'mode: merge', or leave out 'partial'")
    }
  }
}
