import Expressions
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the parts of a union. Values need a key, which names their field.
  mutating func union(_ nodes: FieldNodes) -> EachSource? {
    guard let value = nodes.value(EachKeys.union) else { return nil }
    guard case .sequence(let elements) = value.node.content else {
      return fail(
        .wrongKind, "'union' must be a list, not \(value.node.kindWords)", at: value.node.range,
        help: "write, for example, '\(EachKeys.union.examples.first ?? "")'")
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
            notes: [Diagnostic.Note("the other part is here", at: first)], help: "remove one of them")
          isWhole = false
        }
        flows[id.value] = id.range
      case .values, .expression:
        guard fields != 1 else { break }
        report(
          .eachSource,
          "a value becomes a record with one field, but 'key' names \(fields == 0 ? "no field" : "\(fields) fields")",
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
          .eachSource, "a part of 'union' must have one source, not \(listed(given.map(\.0.name)))", at: second.1,
          help: "write one part for each source")
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

  /// Reads a table or a query as the source of records.
  ///
  /// - Parameter location: the key of the table or the query
  mutating func rows(_ nodes: FieldNodes, at location: SourceRange) -> EachSource? {
    let store = read(EachKeys.store, of: nodes)
    let table = read(EachKeys.table, of: nodes)
    let query = read(EachKeys.query, of: nodes)
    if let key = nodes.key(EachKeys.schema) {
      return fail(
        .eachSource, "'schema' is only for records of a 'file'", at: key,
        help: "leave it out: the columns of the rows have their own types")
    }
    guard !nodes.isLeftOut(EachKeys.store) else {
      return fail(
        .missingKey, "'store', which names the database, is missing", at: location, help: "add 'store: NAME'")
    }
    guard let store else { return nil }
    return (table ?? query).map { .rows(StoredRows($0, isQuery: table == nil, in: store)) }
  }

  /// Reads a query. A template stands for a value, so it cannot be inside of quotes.
  mutating func sqlQuery(_ value: FieldValue) -> Located<Template>? {
    guard let template = template(value) else { return nil }
    let segments = template.value.segments
    let isEmpty = template.value.constantText?.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    if isEmpty ?? false {
      return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
    }
    for (before, segment) in zip(segments, segments.dropFirst()) {
      guard case .text(let text) = before, text.hasSuffix("'") || text.hasSuffix("\"") else { continue }
      if case .text = segment { continue }
      return fail(
        .invalidTable, "the value of a template in a query is quoted automatically", at: value.node.range,
        help: "remove the quotes around it: a template stands for a value, and cannot be a name")
    }
    return template
  }

  /// Reads `only`, which says for which records requests are sent, and checks that the source has records.
  mutating func only(_ nodes: FieldNodes, of source: EachSource) -> EachOnly? {
    guard let key = nodes.key(EachKeys.only), let only = read(EachKeys.only, of: nodes) else { return nil }
    switch (only, source) {
    case (.listed, .union):
      return fail(
        .eachSource, "a list in 'only' replaces the records of one source, and a union has several", at: key,
        help: "write the list as 'values' in the union")
    case (.listed, _) where source.givesRecords: return only
    case (.listed, _):
      return fail(
        .eachSource, "a list in 'only' replaces records, but 'values' has no records", at: key,
        help: "choose between two lists in the expression of 'values', for example a != [] ? a : b")
    case (.changed, _) where source.givesRecords: return only
    case (.changed, _):
      return fail(
        .eachSource, "'only: changed' cannot be used with 'values': a fixed list has no records to compare", at: key,
        help: "remove 'only', or take the parents from a 'flow' or a 'file'")
    }
  }

  /// Reads the word `changed`, or the name of a field and the expression that returns the list of its values.
  mutating func only(_ value: FieldValue) -> EachOnly? {
    guard value.node.isMapping else { return choice(value, ["changed"]).map { _ in .changed(value.node.range) } }
    guard let members = members(of: value, role: .field) else { return nil }
    guard let member = members.first else {
      return fail(
        .missingValue, "'only' names no field", at: value.node.range,
        help: "name the field that templates use: { id: vars.ids }")
    }
    if let second = members.dropFirst().first {
      return fail(
        .contradiction, "'only' must name one field, but '\(printable(second.name))' is a second field",
        at: second.key.range, help: "leave it out: each record is made from one value of the list")
    }
    guard let list = listExpression(value.part(member.value), mayBeMissing: true) else { return nil }
    return .listed(ReplacementList(of: Located(member.name, at: member.key.range), list.expression, type: list.element))
  }

  /// Reads the fields that identify a parent's record. Values have no fields, so a key is an error for them.
  mutating func parentKey(_ value: FieldValue, of source: EachSource) -> [Located<String>] {
    if !source.givesRecords {
      report(
        .eachSource, "'key' names fields of records, but 'values' has no records", at: value.key,
        help: "leave it out: a parent is identified by its value")
      return []
    }
    guard let values = oneOrMore(of: value) else { return [] }
    if values.isEmpty { report(.missingValue, "'key' is empty", at: value.node.range, help: "leave it out") }
    return names(values, role: .field)
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

/// For which records of a source requests are sent.
enum EachOnly: Sendable {
  /// Requests are sent for records that are new or have changed. The value is the location of the word `changed`.
  case changed(SourceRange)
  /// Requests are sent for the values of a list instead of the source's records, unless the list is empty.
  case listed(ReplacementList)
}
