internal import FlowTerms
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// How many partitions may fail.
  mutating func maxFailed(_ onError: EachDeclaration.FailurePolicy?, _ nodes: FieldNodes) -> CountOrShare? {
    guard let bound = read(EachKeys.maxFailed, of: nodes) else { return nil }
    guard onError != .fail else {
      report(
        .misplacedKey, "'max_failed' bounds what 'on_error: skip' leaves out, and the first failure fails this flow",
        at: nodes.key(EachKeys.maxFailed), help: "leave out one of the two")
      return nil
    }
    return bound
  }

  /// The fields that identify a parent's record; of values there are none.
  mutating func parentKey(_ value: FieldValue, of source: EachParent.Source) -> [Located<String>] {
    if isValues(source) {
      report(
        .eachSource, "'key' names fields of a record, and a value has none", at: value.key,
        help: "leave it out: a value identifies itself")
      return []
    }
    guard let values = oneOrMore(of: value) else { return [] }
    if values.isEmpty { report(.missingValue, "'key' is empty", at: value.node.range, help: "leave it out") }
    return names(values, role: .field)
  }

  /// Where it is said that only changed records are asked for; a value never changes.
  mutating func onlyChanged(_ nodes: FieldNodes, of source: EachParent.Source) -> SourceRange? {
    guard read(EachKeys.only, of: nodes) != nil, let value = nodes.value(EachKeys.only) else { return nil }
    guard isValues(source) else { return value.node.range }
    report(
      .eachSource, "'only: changed' compares records with what they were, and values do not change", at: value.key,
      help: "leave it out, or take the records of a 'flow' or a 'file'")
    return nil
  }

  private func isValues(_ source: EachParent.Source) -> Bool {
    switch source {
    case .values, .expression: true
    case .flow, .file: false
    }
  }

  /// Whether the result of a flow that asks only for changed parents holds those of the others.
  mutating func checkChanged(
    _ each: EachDeclaration?, _ persistence: Reading<PersistenceDeclaration>, _ pages: PagesDeclaration?
  ) {
    guard let place = each?.parents.lazy.compactMap(\.onlyChanged).first, !persistence.isBroken else { return }
    guard let persistence = persistence.value else {
      report(
        .eachChanged, "nothing is persisted, so that the records of parents that did not change would be lost",
        at: place, help: "add 'persistence: { path: out/records.jsonl, mode: merge }', or leave out 'only'")
      return
    }
    switch persistence.mode {
    case .merge: break
    case .replace:
      report(
        .eachChanged, "'mode: replace' would lose the records of parents that did not change", at: place,
        notes: [Diagnostic.Note("the result is declared here", at: persistence.path.range)],
        help: "add 'mode: merge' to 'persistence', and a key to the schema; or leave out 'only'")
    case .append:
      guard pages?.keepsPart ?? false else { return }
      report(
        .eachChanged,
        "'partial: keep' leaves parents that are asked for again, and 'mode: append' would keep their records twice",
        at: place, help: "use 'mode: merge', or leave out 'partial'")
    }
  }
}
