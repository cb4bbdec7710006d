import Expressions
import FlowModel
import SourceDiagnostics

/// Checks expressions again when all files are read and the schemas of parents are known.
struct ParentTypes {
  let schemas: [String: SchemaDeclaration]
  /// The ids of all flows.
  let ids: Set<String>

  /// Creates a checker from the flows of all files.
  init(_ flows: some Sequence<FlowDeclaration>) {
    schemas = Dictionary(
      flows.compactMap { flow in flow.schema.map { (flow.id, $0) } }, uniquingKeysWith: { first, _ in first })
    ids = Set(flows.map(\.id))
  }

  /// Errors in a flow's expressions, given the schemas of its parents.
  func errors(in flow: FlowDeclaration) -> [Diagnostic] {
    ownErrors(in: flow) + (flow.inFirstRun.map { ownErrors(in: $0) } ?? [])
  }

  private func ownErrors(in flow: FlowDeclaration) -> [Diagnostic] {
    guard let each = flow.each, each.flows.contains(where: { schemas[$0.value] != nil }) else { return [] }
    var scope = flow.file.scopeType
    for (member, parent) in zip(each.members, each.parents) {
      scope[member.name] = each.type(parent.recordType { schemas[$0] })
    }
    if flow.schema != nil { scope.names.append(FlowReader.schemaName) }
    if flow.pull.fieldGroups != nil { scope.names.append(FlowReader.fieldGroupName) }
    if flow.pull.pages != nil { scope.names.append(FlowReader.pageName) }
    if flow.pull.job != nil { scope.names += FlowReader.jobNames }
    if let cursor = flow.pull.cursor {
      scope.names.append(FlowReader.cursorName(hasStart: cursor.start != nil, hasEnd: cursor.end != nil))
    }
    var found: [Diagnostic] = []
    if let records = flow.pull.request.body?.records {
      found += each.flows.compactMap { id in
        schemas[id.value].flatMap { SentFields(records, from: "'\(id.value)'").error(given: $0) }
      }
    }
    let names = Set(each.names)
    found += errors(inMappingOf: flow, scope, names)
    let requests = [flow.pull.request] + (flow.pull.job?.requests ?? [])
    let templates =
      requests.flatMap(\.templates) + (flow.pull.fieldGroups?.templates ?? [])
      + (flow.download.map { [$0.value] } ?? []) + each.add.flatMap(\.value.value.templates)
    found += templates.flatMap { template in
      zip(template.segments, template.ranges).flatMap { segment, range -> [Diagnostic] in
        guard case .expression(let expression) = segment,
          expression.references.contains(where: { names.contains($0.root) })
        else { return [] }
        return errors(in: expression, at: range, scope, mayBeMissing: expression.isOptional)
      }
    }
    return found
  }

  func errors(
    in expression: Expression, at range: SourceRange, _ scope: ExpressionScopeType, mayBeMissing: Bool = false
  ) -> [Diagnostic] {
    let (type, errors) = expression.check(scope)
    var found = errors.map { error in
      let error = TemplateScanner.TemplateError(error, from: 0)
      return Diagnostic(
        error.code.code, error.message, at: range, help: error.help ?? error.replacement.map { "did you mean '\($0)'?" }
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
  /// The names that every expression of the file may use, with their types.
  fileprivate var scopeType: ExpressionScopeType {
    var declared = DeclaredVariables()
    for variable in variables where declared[variable.name.value] == nil { declared.declare(variable) }
    return FileScope(variables: declared, secrets: Set(secrets.map(\.value))).type
  }
}

extension ParentTypes {
  /// Errors in the `key` and the list of `only` of each of a flow's parents, given the parents' schemas.
  func keyErrors(in flow: FlowDeclaration) -> [Diagnostic] {
    (flow.each?.parents ?? []).flatMap { parent -> [Diagnostic] in
      errors(in: parent, parent.source)
    }
  }

  private func errors(in parent: Each<EachSource>.Parent, _ source: EachSource) -> [Diagnostic] {
    switch source {
    case .values, .expression, .replacement: []
    // The columns of a table are known only to its database.
    case .rows(let rows): errors(in: parent, nil, words: "\(rows.text.value.sourceText)")
    case .file(let path, let schema): errors(in: parent, schema, words: "the file \(path.value.sourceText)")
    case .flow(let id):
      // If a parent flow is missing or has errors, the fields of its records are unknown.
      ids.contains(id.value) ? errors(in: parent, schemas[id.value], words: "'\(id.value)'") : []
    case .union where parent.onlyChanged != nil && parent.key.isEmpty: errors(in: parent, nil, words: "the union")
    case .union(let parts): parts.flatMap { errors(in: parent, $0) }
    }
  }

  private func errors(in parent: Each<EachSource>.Parent, _ schema: SchemaDeclaration?, words: String) -> [Diagnostic] {
    if let index = parent.onlyChanged, parent.key.isEmpty, schema?.key.isEmpty ?? true {
      return [
        Diagnostic(
          .eachChanged,
          "the records of \(words) have no key, so a changed record cannot be recognized",
          at: index, help: "add 'key: FIELD' beside 'only', or a key to the parent's schema")
      ]
    }
    guard let schema, schema.origin != .unknown else { return [] }
    let known = schema.fields.map(\.name)
    let named = parent.key + (parent.instead.map { [$0.field] } ?? [])
    return named.filter { !known.contains($0.value) }.map { name in
      let suggestion = NearMiss.suggestion(for: name.value, in: known)
      return Diagnostic(
        .unknownField, "the records of \(words) have no field '\(name.value)'", at: name.range,
        suggestion: suggestion, help: "the fields of '\(schema.name)' are \(known.joined(separator: ", "))")
    }
  }
}
