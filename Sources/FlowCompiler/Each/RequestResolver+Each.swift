internal import Databases
internal import Expressions
internal import FlowRuntime
internal import FlowSpec
internal import FlowTerms
internal import JSONSyntax
internal import Records
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the plan of the parents; nil without `each`, or after an error was reported.
  ///
  /// - Parameter compiled: compiles a schema
  mutating func each(_ declaration: FlowDeclaration, schema compiled: (SchemaDeclaration) -> CompiledSchema)
    -> EachPlan?
  {
    guard let declared = declaration.each else { return nil }
    var parents: [ParentPlan] = []
    for parent in declared.parents {
      guard let source = source(parent.source, of: parent, declaration, schema: compiled) else { continue }
      var plan = ParentPlan(parent.name.value, source, words: parent.words)
      plan.limit = parent.limit
      plan.isPart = parent.isReplaced
      plan.isOnlyChanged = parent.onlyChanged != nil
      plan.key = parent.identifyingFields
      parents.append(plan)
    }
    guard parents.count == declared.parents.count else { return nil }
    var plan = EachPlan(parents, concurrency: declared.concurrency, skipsFailed: declared.onError == .skip)
    plan.maxFailed = declared.maxFailed
    plan.keepsEmpty = declared.keepsEmpty != nil
    plan.batch = declared.batch.map(BatchPlan.init)
    do throws(ResolutionError) {
      for (name, value) in declared.add {
        plan.add.append(ExpressionDocument.Member(name.value, try value.value.bound(in: scope)))
      }
    } catch {
      report(error, at: declared.range)
    }
    return plan
  }

  private mutating func source(
    _ source: EachParent.Source, of parent: EachParent, _ declaration: FlowDeclaration,
    schema compiled: (SchemaDeclaration) -> CompiledSchema
  ) -> ParentPlan.Source? {
    switch source {
    case .flow(let id): return .flow(id.value)
    case .values(let values): return .values(values)
    case .expression(let expression, _): return list(expression).map { .values($0) }
    case .file(let path, let schema): return file(path, schema: schema.map(compiled))
    case .rows(let rows): return self.rows(rows, key: parent.key.map(\.value), of: declaration).map { .rows($0) }
    case .union(let parts):
      let sources = parts.compactMap { self.source($0, of: parent, declaration, schema: compiled) }
      guard sources.count == parts.count else { return nil }
      return .union(parent.key.first.map { key in sources.map { $0.records(withField: key.value) } } ?? sources)
    }
  }

  private mutating func file(_ template: Located<Template>, schema: CompiledSchema?) -> ParentPlan.Source? {
    guard let path = path(template) else { return nil }
    if path.isCSV, schema == nil { diagnostics.report(FlowCompiler.tableWithoutSchema(template.range)) }
    return .file(path, schema ?? .wholeRecords)
  }

  private mutating func rows(
    _ declared: StoredRowsDeclaration, key: [String], of declaration: FlowDeclaration
  ) -> StoredRows? {
    guard let store = store(named: declared.store.value, of: declaration) else { return nil }
    switch declared.content {
    case .table(let name): return resolve(name).map { StoredRows(store: store, content: .table($0.text, key: key)) }
    case .query(let query): return sql(query).map { StoredRows(store: store, content: .query($0)) }
    }
  }

  /// A query in which the value of each template is a quoted text, so that no value can change the statement.
  private mutating func sql(_ template: Located<Template>) -> String? {
    var text = ""
    for segment in template.value.segments {
      if case .text(let constant) = segment {
        text += constant
        continue
      }
      guard let value = resolve(Located(Template([segment]), at: template.range)) else { return nil }
      text += SQLName.literal(value.text)
    }
    return text
  }

  /// Evaluates an expression to a list of values. Reports a result that is not a list of distinct texts and integers.
  private mutating func list(_ expression: Located<Expression>) -> [JSONValue]? {
    do throws(ResolutionError) {
      return try ValueList.values(of: expression, key: "each.values", in: scope)
    } catch {
      report(error, at: expression.range)
      return nil
    }
  }
}

extension ParentPlan.Source {
  /// The source of a union, in which each value is a record with one field.
  fileprivate func records(withField field: String) -> ParentPlan.Source {
    guard case .values(let values) = self else { return self }
    return .values(values.map { .object(JSONObject([JSONObject.Member(name: field, value: $0)])) })
  }
}

extension BatchPlan {
  fileprivate init(_ declared: BatchDeclaration) {
    self.init(size: declared.size)
    results = declared.results.map {
      Results(path: $0.path.value, failed: $0.failed.value, reason: $0.reason?.value)
    }
  }
}
