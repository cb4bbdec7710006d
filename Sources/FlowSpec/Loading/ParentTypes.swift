import Expressions
import SourceDiagnostics

/// Looks at expressions again when all files are read: a parent's schema tells which fields its records have.
struct ParentTypes {
  let schemas: [String: SchemaDeclaration]
  /// The flows that there are.
  let ids: Set<String>

  /// Takes the flows of all files.
  init(_ flows: some Sequence<FlowDeclaration>) {
    schemas = Dictionary(
      flows.compactMap { flow in flow.schema.map { (flow.id, $0) } }, uniquingKeysWith: { first, _ in first })
    ids = Set(flows.map(\.id))
  }

  /// What is wrong with a flow's expressions given its parents' schemas.
  func faults(in flow: FlowDeclaration) -> [Diagnostic] {
    guard let each = flow.each, each.flows.contains(where: { schemas[$0.value] != nil }) else { return [] }
    var scope = flow.file.scopeType
    for (member, parent) in zip(each.members, each.parents) {
      guard case .flow(let id) = parent.source, let schema = schemas[id.value] else {
        scope[member.name] = member.type
        continue
      }
      scope[member.name] = each.type(schema.recordType)
    }
    if flow.pages != nil { scope.names.append(FlowReader.pageName) }
    if let cursor = flow.cursor {
      scope.names.append(FlowReader.cursorName(hasStart: cursor.start != nil, hasEnd: cursor.end != nil))
    }
    var found: [Diagnostic] = []
    if let records = flow.request.body?.records, case .flow(let id)? = each.parents.first?.source,
      let schema = schemas[id.value]
    {
      found += [SentFields(records, from: "'\(id.value)'").fault(given: schema)].compactMap { $0 }
    }
    let names = Set(each.names)
    found += faults(inMappingOf: flow, scope, names)
    let templates = flow.request.templates + each.add.flatMap(\.value.value.templates)
    found += templates.flatMap { template in
      zip(template.segments, template.ranges).flatMap { segment, range -> [Diagnostic] in
        guard case .expression(let expression) = segment,
          expression.references.contains(where: { names.contains($0.root) })
        else { return [] }
        return faults(in: expression, at: range, scope)
      }
    }
    return found
  }

  func faults(
    in expression: Expression, at range: SourceRange, _ scope: ExpressionScopeType, mayBeMissing: Bool = false
  ) -> [Diagnostic] {
    let (type, faults) = expression.check(scope)
    var found = faults.map { fault in
      let fault = TemplateScanner.TemplateError(fault, from: 0)
      return Diagnostic(
        fault.code.code, fault.message, at: range, help: fault.help ?? fault.replacement.map { "did you mean '\($0)'?" }
      )
    }
    if found.isEmpty, type.mayBeMissing, !mayBeMissing {
      found.append(
        Diagnostic(
          .expressionMissing, "'\(expression.text)' may be missing", at: range,
          help: "give a default: coalesce(\(expression.text), …)"))
    }
    return found
  }
}

extension FileDeclaration {
  /// What every expression of the file may use.
  fileprivate var scopeType: ExpressionScopeType {
    let variables = Dictionary(variables.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    return FileScope(variables: variables, secrets: Set(secrets.map(\.value))).type
  }
}

extension RequestDeclaration {
  /// All texts that may hold expressions.
  fileprivate var templates: [Template] {
    var templates = [path.value] + (params + query + headers).map(\.value.value)
    switch body {
    case nil: break
    case .json(let document), .graphql(let document): templates += document.value.templates
    case .form(let pairs): templates += pairs.map(\.value.value)
    case .text(let text): templates.append(text.value)
    case .records(let records): templates += records.envelope?.value.templates ?? []
    }
    if let key = idempotency?.key { templates.append(key.value) }
    return templates
  }
}

extension TemplatedJSON {
  /// All texts in it that may hold expressions.
  var templates: [Template] {
    switch self {
    case .constant: []
    case .template(let template): [template.value]
    case .array(let elements): elements.flatMap(\.templates)
    case .object(let members): members.flatMap(\.value.templates)
    }
  }
}
