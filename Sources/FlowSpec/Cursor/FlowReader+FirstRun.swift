import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the request of a flow's first run.
  ///
  /// The flow is read again with the keys of `first_run` in place of its own, so each key is checked beside those that
  /// the two runs share.
  ///
  /// - Parameter flow: the flow's mapping
  mutating func firstRun(
    _ value: FieldValue, of flow: YAMLNode, name: String, at range: SourceRange, in context: FileContext
  ) -> FirstRunDeclaration? {
    guard let nodes = open(value, as: .firstRun), !nodes.hasError, case .mapping(let mapping) = flow.content,
      case .mapping(let own) = value.node.content
    else { return nil }
    let replaced = Set(FirstRunKeys.construct.fields.map(\.name) + [FlowKeys.firstRun.name])
    let entries = mapping.entries.filter { !replaced.contains($0.name) } + own.entries
    var reader = part(1, of: 1)
    reader.isInFirstRun = true
    let read = reader.flow(
      YAMLNode(.mapping(YAMLMapping(entries)), at: value.node.range), name: name, at: range, in: context)
    diagnostics.merge(reader.diagnostics)
    return read.map(FirstRunDeclaration.init)
  }
}
