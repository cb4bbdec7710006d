internal import FlowModel
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
  ) -> PullDeclaration? {
    guard let nodes = open(value, as: .firstRun), !nodes.hasError, case .mapping(let mapping) = flow.content,
      case .mapping(let own) = value.node.content
    else { return nil }
    let replaced = Set(FirstRunKeys.construct.fields.map(\.name) + [FlowKeys.firstRun.name])
    let entries =
      mapping.entries.filter { !replaced.contains($0.name) }
      + own.entries.filter { $0.name != FirstRunKeys.againAfter.name }
    var reader = part(1, of: 1)
    reader.isInFirstRun = true
    let read = reader.flow(
      YAMLNode(.mapping(YAMLMapping(entries)), at: value.node.range), name: name, at: range, in: context)
    diagnostics.merge(reader.diagnostics)
    guard let read else { return nil }
    let age = nodes.value(FirstRunKeys.againAfter).flatMap { againAfter($0, read) }
    var pull = read.pull
    pull.cursor?.againAfter = age
    return pull
  }

  private mutating func againAfter(_ value: FieldValue, _ flow: FlowDeclaration) -> Cursor.Distance? {
    guard let text = text(value), let kind = flow.pull.cursor?.kind else { return nil }
    guard kind == .timestamp || kind == .date else {
      return fail(
        .cursorBounds, "'again_after' needs a cursor of times, and the field has type \(kind.rawValue)",
        at: value.node.range, help: "leave it out")
    }
    if flow.result.target != nil, flow.result.mode != .merge {
      return fail(
        .cursorPersistence,
        "'again_after' requests all records again, and 'mode: \(flow.result.mode.rawValue)' would "
          + "store them twice", at: value.node.range, help: "use 'mode: merge'")
    }
    do throws(SettingError) {
      return try .parsing(text, of: kind, for: value.spec.name)
    } catch {
      return fail(error.code, error.message, at: value.node.range, suggestion: error.suggestion, help: error.help)
    }
  }
}

extension Cursor {
  /// The cursor of a first run with its own request, in which only templates have the range.
  var unbound: Cursor {
    var cursor = self
    cursor.query = nil
    cursor.endQuery = nil
    cursor.slice = nil
    cursor.cap = nil
    cursor.isDescending = false
    cursor.keepsPart = false
    return cursor
  }
}
