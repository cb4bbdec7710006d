import Expressions
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads an `each`. The names of flows are looked up later, when all files are read.
  mutating func each(_ value: FieldValue) -> EachReading? {
    guard case .mapping = value.node.content else {
      return product(value).map { EachReading(each: Each($0, at: value.node.range)) }
    }
    guard let nodes = open(value, as: .each) else { return nil }
    let concurrency = read(EachKeys.concurrency, of: nodes)
    let onError = read(EachKeys.onError, of: nodes)
    let maxFailed = maxFailed(onError, nodes)
    let empty = read(EachKeys.empty, of: nodes)
    let batch = reading(EachKeys.batch, of: nodes)
    guard var parents = parents(nodes, at: value.key) else { return nil }
    if let key = nodes.key(EachKeys.batch), parents.count > 1 || nodes.key(EachKeys.product) != nil {
      return fail(
        .eachBatch, "a batch takes its records from one source, but a product has several sources", at: key,
        help: "leave out 'batch', or use one source")
    }
    // With an error in `batch`, it is unknown whether templates get one record or a list.
    guard !batch.isBroken || nodes.key(EachKeys.batch) == nil else { return nil }
    if batch.value != nil, nodes.key(EachKeys.name) == nil { parents[0].name.value = "batch" }
    var each = Each(parents, at: value.node.range)
    if let concurrency { each.concurrency = concurrency.value }
    each.skipsFailed = onError != "fail"
    each.maxFailed = maxFailed
    each.batch = batch.value
    if empty == "keep" {
      each.keepsEmpty = nodes.key(EachKeys.empty)
      if let key = nodes.key(EachKeys.batch) {
        report(
          .contradiction, "'empty: keep' gives each parent a record, and a batch has several parents",
          at: nodes.key(EachKeys.empty), notes: [Diagnostic.Note("the batch is declared here", at: key)],
          help: "leave out one of the two")
      }
    }
    var scope = value.scope.with(each.members)
    scope.mayHaveMore = scope.mayHaveMore || batch.isBroken
    each.add = read(EachKeys.add, of: nodes, in: scope) ?? []
    return EachReading(each: each, mayHaveMoreNames: batch.isBroken)
  }

  /// Reads the maximum number of partitions that may fail.
  private mutating func maxFailed(_ onError: String?, _ nodes: FieldNodes) -> CountOrShare? {
    guard let bound = read(EachKeys.maxFailed, of: nodes) else { return nil }
    guard onError != "fail" else {
      return fail(
        .misplacedKey, "'max_rejected' has no effect with 'on_error: fail'",
        at: nodes.key(EachKeys.maxFailed), help: "remove one of the two")
    }
    return bound
  }

  /// An `each`, and whether templates may use names that the reader does not know.
  struct EachReading {
    var each: Each<EachSource>
    var mayHaveMoreNames = false
  }

  /// Reads the source in an `each` mapping, or the parts of its `product`.
  private mutating func parents(_ nodes: FieldNodes, at owner: SourceRange) -> [Each<EachSource>.Parent]? {
    guard let product = nodes.value(EachKeys.product) else { return parent(nodes, at: owner).map { [$0] } }
    if let field = EachKeys.source.first(where: { nodes.key($0) != nil }) {
      return fail(
        .eachSource, "'\(field.name)' cannot be used with 'product'", at: nodes.key(field),
        help: "write it in a part of the product")
    }
    guard product.node.isSequence else {
      return fail(
        .wrongKind, "'product' must be a list, not \(product.node.kindWords)", at: product.node.range,
        help: "write, for example, '\(product.spec.examples.first ?? "")'")
    }
    return self.product(product)
  }

  /// Reads the name of a flow, or the parts of a product.
  private mutating func product(_ value: FieldValue) -> [Each<EachSource>.Parent]? {
    guard case .sequence(let nodes) = value.node.content else {
      return part(value.node, at: value.key, scope: value.scope).map { [$0] }
    }
    guard !nodes.isEmpty else {
      return fail(
        .missingValue, "'\(value.spec.name)' is an empty list", at: value.node.range,
        help: "name a flow, or give values")
    }
    var parents: [Each<EachSource>.Parent] = []
    var isWhole = true
    for node in nodes {
      guard let parent = part(node, at: node.range, scope: value.scope) else {
        isWhole = false
        continue
      }
      if let first = parents.first(where: { $0.name.value == parent.name.value }) {
        report(
          .duplicateItem, "two parts have the name '\(parent.name.value)'", at: parent.name.range,
          notes: [Diagnostic.Note("the other part is here", at: first.name.range)],
          help: "give one of them another name with 'as'")
        isWhole = false
      }
      parents.append(parent)
    }
    return isWhole ? parents : nil
  }

  private mutating func part(_ node: YAMLNode, at owner: SourceRange, scope: Scope) -> Each<EachSource>.Parent? {
    switch node.content {
    case .scalar:
      let value = FieldValue(spec: EachKeys.flow, node: node, key: owner, part: owner, scope: scope)
      return flowReference(value).map { Each<EachSource>.Parent(.flow($0), name: Located("parent", at: node.range)) }
    case .mapping:
      return open(node, as: EachPartKeys.construct, owner: owner, scope: scope).flatMap { parent($0, at: owner) }
    case .sequence:
      return fail(
        .wrongKind, "a part of a product must be a flow's name or a mapping, not a list", at: node.range,
        help: "write, for example, '{ values: [open, closed], as: status }'")
    }
  }

  /// Reads one source and the name of its records.
  private mutating func parent(_ nodes: FieldNodes, at owner: SourceRange) -> Each<EachSource>.Parent? {
    let name = read(EachKeys.name, of: nodes)
    let limit = read(EachKeys.limit, of: nodes)
    let isNamed = name != nil || nodes.key(EachKeys.name) == nil
    guard let source = source(nodes, at: owner), isNamed else { return nil }
    let key = nodes.value(EachKeys.key).map { parentKey($0, of: source) } ?? []
    let only = only(nodes, of: source)
    var (word, location) = ("parent", owner)
    switch source {
    case .flow(let id): location = id.range
    case .values, .expression: (word, location) = ("value", nodes.key(EachKeys.values) ?? owner)
    case .file(let path, _): location = path.range
    case .rows(let rows): location = rows.text.range
    case .union, .replacement: location = nodes.key(EachKeys.union) ?? owner
    }
    var parent = Each<EachSource>.Parent(source, name: name ?? Located(word, at: location))
    parent.limit = limit?.value
    parent.key = key
    switch only {
    case .changed(let location)?: parent.onlyChanged = location
    case .listed(let list)?: parent.instead = list
    case nil: break
    }
    if case .file(_, let schema?) = source { parent.schemaKey = schema.key.map(\.value) }
    return parent
  }

  /// Names that have another meaning in expressions and cannot be the name of a parent.
  private static let reservedNames: Set<String> = [
    "vars", "secrets", "env", "schema", "record", "response", "page", "cursor", "field_group", "result",
    "true", "false", "null", "in",
  ]

  /// Reads the name of a record in templates.
  mutating func parentName(_ value: FieldValue) -> Located<String>? {
    guard let name = name(value, role: .variable) else { return nil }
    guard Self.reservedNames.contains(name.value) else { return name }
    return fail(
      .invalidName, "'\(name.value)' is reserved in expressions", at: name.range,
      help: "choose another name, such as 'parent'")
  }

  private mutating func source(_ nodes: FieldNodes, at owner: SourceRange) -> EachSource? {
    let sources: [any FieldSpec] = [
      EachKeys.flow, EachKeys.values, EachKeys.file, EachKeys.table, EachKeys.query, EachKeys.union,
    ]
    let given = sources.compactMap { field in nodes.key(field).map { (field, $0) } }
      .sorted { $0.1.offsets.lowerBound < $1.1.offsets.lowerBound }
    guard let kind = given.first?.0, given.count == 1 else {
      if let second = given.dropFirst().first {
        report(
          .eachSource, "only one source is allowed, not \(listed(given.map(\.0.name)))", at: second.1,
          help: "combine sources in a list, one part for each, or write them in a 'union'")
      } else if !nodes.hasError {
        report(
          .eachSource, "'each' has no source", at: owner,
          help: "name a 'flow', give 'values', or read a 'file', or a 'table' of a 'store'")
      }
      return nil
    }
    if kind === EachKeys.table || kind === EachKeys.query { return rows(nodes, at: given[0].1) }
    if let key = nodes.key(EachKeys.store) {
      return fail(
        .eachSource, "'store' is only for a 'table' or a 'query'", at: key, help: "leave it out, or name a table")
    }
    guard kind === EachKeys.file else {
      if let key = nodes.key(EachKeys.schema) {
        return fail(
          .eachSource, "'schema' is only for records of a 'file'", at: key,
          help: kind === EachKeys.flow
            ? "leave it out: the schema of the named flow applies"
            : kind === EachKeys.union
              ? "write 'schema' beside the 'file' in 'union'" : "leave it out: values have no fields")
      }
      if kind === EachKeys.union { return union(nodes) }
      return kind === EachKeys.flow ? read(EachKeys.flow, of: nodes) : read(EachKeys.values, of: nodes)
    }
    let schema = read(EachKeys.schema, of: nodes)
    let isSchemaRight = schema != nil || nodes.key(EachKeys.schema) == nil
    guard let path = read(EachKeys.file, of: nodes), isSchemaRight else { return nil }
    return .file(path, schema: schema)
  }

  /// Reads a reference to a flow and returns the flow's id. A name without a dot means a flow of the same file.
  mutating func flowReference(_ value: FieldValue) -> Located<String>? {
    guard let text = text(value) else { return nil }
    guard !text.isEmpty, !text.utf8.contains(where: { ASCII.isControl($0) || $0 == UInt8(ascii: " ") }) else {
      return fail(
        .invalidName, "'\(printable(text))' cannot be the name of a flow", at: value.node.range,
        help: "write 'flow' for a flow of this file, or 'file.flow'")
    }
    return Located(text.utf8.contains(UInt8(ascii: ".")) ? text : "\(stem).\(text)", at: value.node.range)
  }

  /// Reads values as written, or an expression that returns a list of values.
  mutating func valueSource(_ value: FieldValue) -> EachSource? {
    guard case .scalar(let scalar) = value.node.content, TemplateScanner.hasTemplate(scalar.text) else {
      return values(value).map { .values($0) }
    }
    let scanner = TemplateScanner(scalar.text)
    for fault in scanner.errors { report(fault, in: value) }
    guard scanner.errors.isEmpty else { return nil }
    guard scanner.pieces.count == 1 else {
      return fail(
        .wrongKind, "'values' must be a list, not a text that contains expressions", at: value.node.range,
        help: "write one expression that gives the whole list, such as split(…, ',')")
    }
    return listExpression(value, mayBeMissing: false).map { .expression($0.expression, $0.element) }
  }

  /// Reads an expression that returns a list of texts or integers, and returns the type of its elements too.
  mutating func listExpression(
    _ value: FieldValue, mayBeMissing: Bool
  ) -> (expression: Located<Expression>, element: ExpressionType)? {
    guard let expression = expression(value, of: .optional(.dynamic)) else { return nil }
    let type = expression.value.check(value.scope.type).type
    switch type.unwrapped {
    case .dynamic: return (expression, .dynamic)
    case .list(let element) where [.string, .int, .dynamic].contains(element) && (mayBeMissing || !type.mayBeMissing):
      return (expression, element)
    default:
      let start = scalar(value).map { TemplateScanner($0).pieces.first?.offsets } ?? nil
      return fail(
        .expressionType,
        "'\(printable(expression.value.text))' has type \(type), "
          + "but '\(value.spec.name)' needs a list of texts or integers",
        at: start.map { location(of: $0, in: value.node) } ?? value.node.range,
        help: "split a text with split(…, ',')")
    }
  }

  /// Reads texts and integers; duplicates are reported.
  private mutating func values(_ value: FieldValue) -> [JSONValue]? {
    guard let elements = elements(of: value) else { return nil }
    guard !elements.isEmpty else {
      return fail(.missingValue, "'values' is an empty list", at: value.node.range, help: "give at least one value")
    }
    var seen: [JSONValue: SourceRange] = [:]
    var values: [JSONValue] = []
    for element in elements {
      guard case .scalar(let scalar) = element.node.content else {
        report(
          .wrongKind, "each value must be a text or an integer, not \(element.node.kindWords)", at: element.node.range,
          help: "to combine several lists, write one part with 'values' for each")
        continue
      }
      guard let text = text(element) else { continue }
      let written = JSONReading.value(of: scalar)
      var isInteger = false
      if case .number = written { isInteger = (try? IntegerText.value(of: text)) != nil }
      let read = isInteger ? written : .string(text)
      if !isRepeated(read, printable(text), at: element.node.range, in: &seen) { values.append(read) }
    }
    return values.count == elements.count ? values : nil
  }

  /// The names that an `each` with errors probably declares. Their uses are then not reported as errors too.
  func namesAsWritten(in node: YAMLNode?) -> [ExpressionType.Member] {
    guard let node else { return [] }
    var names: Set<String> = ["parent", "value", "batch"]
    var open = [node]
    while let node = open.popLast() {
      switch node.content {
      case .scalar: break
      case .sequence(let nodes): open += nodes
      case .mapping(let mapping):
        for entry in mapping.entries {
          if entry.name == EachKeys.name.name, case .scalar(let scalar) = entry.value.content {
            names.insert(scalar.text)
          }
          if entry.name == EachKeys.product.name { open.append(entry.value) }
        }
      }
    }
    return names.sorted().map { ExpressionType.Member($0, .dynamic) }
  }
}
