import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What a flow is asked for each of; names of flows are looked up when all files are read.
  mutating func each(_ value: FieldValue, in context: FileContext) -> EachDeclaration? {
    guard !value.node.isNull else { return nil }
    guard case .mapping = value.node.content else {
      return product(value, in: context).map { EachDeclaration(range: value.node.range, parents: $0) }
    }
    guard let fields = open(value.node, as: .each, owner: value.key) else { return nil }
    let concurrency = integer(fields.value("concurrency"), in: 1...256)
    let onError = fields.value("on_error").flatMap { policy($0) }
    let maxFailed = fields.value("max_failed").flatMap { self.maxFailed($0, onError, fields) }
    let batch = reading("batch", of: fields) { $0.batch($1) }
    guard var parents = parents(fields, at: value.key, in: context) else { return nil }
    if let key = fields.key("batch"), parents.count > 1 || fields.key("product") != nil {
      report(
        .eachBatch, "a batch holds records of one source, and a product has several", at: key,
        help: "leave out 'batch', or take one source")
      return nil
    }
    if batch.isBroken {
      // Whether one record is asked for or a list of them is not known then.
      guard fields.key("batch") == nil else { return nil }
      mayHaveMoreNames = true
    }
    if batch.value != nil, fields.key("as") == nil { parents[0].name.value = "batch" }
    var each = EachDeclaration(
      range: value.node.range, parents: parents,
      concurrency: concurrency?.value ?? EachDeclaration.defaultConcurrency, onError: onError ?? .skip,
      maxFailed: maxFailed, batch: batch.value)
    guard let add = fields.value("add") else { return each }
    runtimeNames = each.members
    defer { runtimeNames = [] }
    guard let members = members(of: add, role: .field) else { return each }
    for member in members {
      guard let document = templatedJSON(member.value, in: add.part(member.value)) else { continue }
      each.add.append((Located(member.name, at: member.key.range), Located(document, at: member.value.range)))
    }
    return each
  }

  /// The source that stands in the mapping itself, or the parts of its product.
  private mutating func parents(
    _ fields: FieldNodes, at owner: SourceRange, in context: FileContext
  ) -> [EachParent]? {
    guard let product = fields.value("product") else {
      return fields.key("product") == nil ? parent(fields, at: owner, in: context).map { [$0] } : nil
    }
    if let name = Construct.Each.source.map(\.name).first(where: { fields.key($0) != nil }) {
      report(
        .eachSource, "'\(name)' cannot stand beside 'product'", at: fields.key(name),
        help: "write it in a part of the product")
      return nil
    }
    guard product.node.isSequence else {
      report(
        .wrongKind, "'product' is a list, not \(product.node.kindWords)", at: product.node.range,
        help: "write it as in '\(product.spec.examples.first ?? "")'")
      return nil
    }
    return self.product(product, in: context)
  }

  private mutating func policy(_ value: FieldValue) -> EachDeclaration.FailurePolicy? {
    choice(value, EachDeclaration.FailurePolicy.allCases.map(\.rawValue)).flatMap { .init(rawValue: $0) }
  }

  /// A flow's name alone, or the parts of a product.
  private mutating func product(_ value: FieldValue, in context: FileContext) -> [EachParent]? {
    guard case .sequence(let nodes) = value.node.content else {
      return part(value.node, at: value.key, in: context).map { [$0] }
    }
    guard !nodes.isEmpty else {
      report(
        .missingValue, "'\(value.spec.name)' is an empty list", at: value.node.range,
        help: "name a flow, or give values")
      return nil
    }
    var parents: [EachParent] = []
    var isWhole = true
    for node in nodes {
      guard let parent = part(node, at: node.range, in: context) else {
        isWhole = false
        continue
      }
      if let first = parents.first(where: { $0.name.value == parent.name.value }) {
        report(
          .duplicateItem, "two parts are called '\(parent.name.value)'", at: parent.name.range,
          notes: [Diagnostic.Note("the other one is here", at: first.name.range)],
          help: "give one of them another name with 'as'")
        isWhole = false
      }
      parents.append(parent)
    }
    return isWhole ? parents : nil
  }

  private mutating func part(_ node: YAMLNode, at owner: SourceRange, in context: FileContext) -> EachParent? {
    switch node.content {
    case .scalar:
      let value = FieldValue(spec: Construct.Each.flow, node: node, key: owner, part: owner)
      return flowReference(value, in: context).map { EachParent(.flow($0), name: Located("parent", at: node.range)) }
    case .mapping:
      return open(node, as: .eachPart, owner: owner).flatMap { parent($0, at: owner, in: context) }
    case .sequence:
      report(
        .wrongKind, "a part of a product is a flow's name or a mapping, not a list", at: node.range,
        help: "write it as in '{ values: [open, closed], as: status }'")
      return nil
    }
  }

  /// One source with its name.
  private mutating func parent(_ fields: FieldNodes, at owner: SourceRange, in context: FileContext) -> EachParent? {
    let name = fields.value("as").flatMap { parentName($0) }
    let limit = integer(fields.value("limit"), in: 1...Int.max)
    let isNamed = name != nil || fields.key("as") == nil
    guard let source = source(fields, at: owner, in: context), isNamed else { return nil }
    let key = fields.value("key").map { parentKey($0, of: source, at: fields.key("key") ?? owner) } ?? []
    let onlyChanged = fields.value("only").flatMap { self.onlyChanged($0, of: source) }
    var (word, place) = ("parent", owner)
    switch source {
    case .flow(let id): place = id.range
    case .values, .expression: (word, place) = ("value", fields.key("values") ?? owner)
    case .file(let path, _): place = path.range
    }
    var parent = EachParent(
      source, name: name ?? Located(word, at: place), limit: limit?.value, key: key, onlyChanged: onlyChanged)
    if case .file(_, let schema?) = source { parent.schemaKey = schema.key.map(\.value) }
    return parent
  }

  private mutating func parentName(_ value: FieldValue) -> Located<String>? {
    guard let name = name(value, role: .variable) else { return nil }
    guard EachDeclaration.reservedNames.contains(name.value) else { return name }
    report(
      .invalidName, "'\(name.value)' has a meaning of its own in expressions", at: name.range,
      help: "choose another name, such as 'parent'")
    return nil
  }

  private mutating func source(
    _ fields: FieldNodes, at owner: SourceRange, in context: FileContext
  ) -> EachParent.Source? {
    let given = ["flow", "values", "file"].filter { fields.key($0) != nil }
      .sorted { (fields.key($0)?.offsets.lowerBound ?? 0) < (fields.key($1)?.offsets.lowerBound ?? 0) }
    guard let kind = given.first, given.count == 1 else {
      if let second = given.dropFirst().first {
        report(
          .eachSource, "records come from one source, not from \(listed(given))", at: fields.key(second),
          help: "combine sources in a list, one part for each")
      } else if !fields.isFaulty {
        report(
          .eachSource, "nothing says what there is one request for each of", at: owner,
          help: "name a 'flow', give 'values', or read a 'file'")
      }
      return nil
    }
    if kind != "file", let key = fields.key("schema") {
      report(
        .eachSource, "'schema' says how a file is read, and there is none", at: key,
        help: kind == "flow" ? "the flow's own schema holds" : "values have no fields")
      return nil
    }
    switch kind {
    case "flow":
      return fields.value("flow").flatMap { flowReference($0, in: context) }.map { .flow($0) }
    case "values":
      return fields.value("values").flatMap { valueSource($0) }
    default:
      let schema = fields.value("schema").flatMap { self.schema($0, flow: "file", in: context.schemas) }
      let isSchemaRight = schema != nil || fields.key("schema") == nil
      guard let path = fields.value("file").flatMap({ outputPath($0) }), isSchemaRight else { return nil }
      return .file(path, schema: schema)
    }
  }

  /// A flow's id: a name alone means a flow of the same file.
  private func id(_ text: String, in context: FileContext) -> String {
    text.utf8.contains(UInt8(ascii: ".")) ? text : "\(context.file.stem).\(text)"
  }

  private mutating func flowReference(_ value: FieldValue, in context: FileContext) -> Located<String>? {
    guard let text = text(value) else { return nil }
    guard !text.isEmpty, !text.utf8.contains(where: { ASCII.isControl($0) || $0 == UInt8(ascii: " ") }) else {
      report(
        .invalidName, "'\(printable(text))' cannot be the name of a flow", at: value.node.range,
        help: "write 'flow' for a flow of this file, or 'file.flow'")
      return nil
    }
    return Located(id(text, in: context), at: value.node.range)
  }

  /// Values as written, or the list that an expression gives.
  private mutating func valueSource(_ value: FieldValue) -> EachParent.Source? {
    guard case .scalar(let scalar) = value.node.content, TemplateScanner.hasTemplate(scalar.text) else {
      return values(value).map { .values($0) }
    }
    let scanner = TemplateScanner(scalar.text)
    for fault in scanner.faults { report(fault, in: value) }
    guard scanner.faults.isEmpty else { return nil }
    guard scanner.pieces.count == 1 else {
      report(
        .wrongKind, "'values' is a list, and text with expressions in it is none", at: value.node.range,
        help: "write one expression that gives the whole list, such as split(…, ',')")
      return nil
    }
    guard let expression = expression(value, of: .optional(.dynamic)) else { return nil }
    let type = expression.value.check(scopeType).type
    switch type.unwrapped {
    case .dynamic: return .expression(expression, .dynamic)
    case .list(let element) where [.string, .int, .dynamic].contains(element) && !type.mayBeMissing:
      return .expression(expression, element)
    default:
      let piece = scanner.pieces[0]
      report(
        .expressionType,
        "'\(printable(expression.value.text))' is \(type), and 'values' is a list of texts or integers",
        at: place(piece.offsets, in: value.node), help: "split a text with split(…, ',')")
      return nil
    }
  }

  /// Texts and integers, each once.
  private mutating func values(_ value: FieldValue) -> [JSONValue]? {
    guard let elements = elements(of: value) else { return nil }
    guard !elements.isEmpty else {
      report(.missingValue, "'values' is an empty list", at: value.node.range, help: "give at least one value")
      return nil
    }
    var seen: [JSONValue: SourceRange] = [:]
    var values: [JSONValue] = []
    for element in elements {
      guard case .scalar(let scalar) = element.node.content else {
        report(
          .wrongKind, "a value is a text or an integer, not \(element.node.kindWords)", at: element.node.range,
          help: "to combine several lists, write one part with 'values' for each")
        continue
      }
      guard let text = text(element) else { continue }
      let written = JSONReading.value(of: scalar)
      var isInteger = false
      if case .number = written { isInteger = (try? IntegerText.value(of: text)) != nil }
      let read = isInteger ? written : .string(text)
      if let first = seen[read] {
        report(
          .duplicateItem, "'\(printable(text))' is listed twice", at: element.node.range,
          notes: [Diagnostic.Note("it is listed here already", at: first)])
      } else {
        seen[read] = element.node.range
        values.append(read)
      }
    }
    return values.count == elements.count ? values : nil
  }

  /// The names that a faulty 'each' probably meant to give, so that what uses them is not called a mistake too.
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
          if entry.name == "as", case .scalar(let scalar) = entry.value.content { names.insert(scalar.text) }
          if entry.name == "product" { open.append(entry.value) }
        }
      }
    }
    return names.sorted().map { ExpressionType.Member($0, .dynamic) }
  }
}
