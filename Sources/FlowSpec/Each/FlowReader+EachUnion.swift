internal import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the parts of a union. Values need a key, which names their field.
  mutating func union(_ nodes: FieldNodes) -> EachSource? {
    guard let value = nodes.value(EachKeys.union) else { return nil }
    guard case .sequence(let elements) = value.node.content else {
      return fail(
        .wrongKind, "'union' is a list, not \(value.node.kindWords)", at: value.node.range,
        help: "write it as in '\(EachKeys.union.examples.first ?? "")'")
    }
    guard !elements.isEmpty else {
      return fail(.missingValue, "'union' is an empty list", at: value.node.range, help: "name a flow, or give values")
    }
    let fields = nodes.value(EachKeys.key).map { key in key.node.isSequence ? oneOrMore(of: key)?.count ?? 1 : 1 } ?? 0
    var parts: [EachSource] = []
    var flows: [String: SourceRange] = [:]
    var isWhole = true
    for element in elements {
      guard let part = unionPart(element, scope: value.scope) else {
        isWhole = false
        continue
      }
      switch part {
      case .flow(let id):
        if let first = flows[id.value] {
          report(
            .duplicateItem, "'\(id.value)' is in the union twice", at: id.range,
            notes: [Diagnostic.Note("the other one is here", at: first)], help: "remove one of them")
          isWhole = false
        }
        flows[id.value] = id.range
      case .values, .expression:
        guard fields != 1 else { break }
        report(
          .eachSource, "a value is a record of one field, and 'key' names \(fields == 0 ? "none" : "\(fields)")",
          at: element.range, help: "add 'key: FIELD' beside 'union', with the field that templates use")
        isWhole = false
      case .file, .rows, .union, .replacement: break
      }
      parts.append(part)
    }
    return isWhole ? .union(parts) : nil
  }

  private mutating func unionPart(_ node: YAMLNode, scope: Scope) -> EachSource? {
    if case .scalar = node.content {
      let value = FieldValue(spec: EachUnionKeys.flow, node: node, key: node.range, part: node.range, scope: scope)
      return flowReference(value).map { .flow($0) }
    }
    guard let nodes = open(node, as: EachUnionKeys.construct, owner: node.range, scope: scope) else { return nil }
    let given = EachUnionKeys.sources.compactMap { field in nodes.key(field).map { (field, $0) } }
      .sorted { $0.1.offsets.lowerBound < $1.1.offsets.lowerBound }
    guard let kind = given.first?.0, given.count == 1 else {
      if let second = given.dropFirst().first {
        report(
          .eachSource, "a part has one source, not \(listed(given.map(\.0.name)))", at: second.1,
          help: "write one part for each")
      } else if !nodes.hasError {
        report(
          .eachSource, "a part of 'union' has no source", at: node.range,
          help: "name a 'flow', give 'values', or read a 'file'")
      }
      return nil
    }
    if kind === EachUnionKeys.file {
      let schema = read(EachUnionKeys.schema, of: nodes)
      let isSchemaRight = schema != nil || nodes.key(EachUnionKeys.schema) == nil
      guard let path = read(EachUnionKeys.file, of: nodes), isSchemaRight else { return nil }
      return .file(path, schema: schema)
    }
    if let key = nodes.key(EachUnionKeys.schema) {
      return fail(.eachSource, "'schema' is only for records of a 'file'", at: key, help: "leave it out")
    }
    if kind === EachUnionKeys.flow { return read(EachUnionKeys.flow, of: nodes).map { .flow($0) } }
    return read(EachUnionKeys.values, of: nodes)
  }
}
