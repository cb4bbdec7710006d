internal import Databases
internal import Expressions
internal import FlowRuntime
internal import FlowSpec
internal import FlowModel
internal import JSONSyntax
internal import Records
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the parents with the sources of a run; nil without `each`, or after an error was reported.
  ///
  /// - Parameter compiled: compiles a schema
  mutating func each(
    _ declaration: FlowDeclaration, schema compiled: (SchemaDeclaration) -> CompiledSchema
  ) -> Each<ParentSource>? {
    declaration.each?.withSources { source($0.source, of: $0, declaration, schema: compiled) }
  }

  /// Returns the added fields, in which values that are known before the run are filled in. Errors are reported.
  mutating func addedFields(_ each: Each<ParentSource>) -> [ExpressionDocument.Member] {
    var fields: [ExpressionDocument.Member] = []
    do throws(ResolutionError) {
      for (name, value) in each.add {
        fields.append(ExpressionDocument.Member(name.value, try value.value.bound(in: scope)))
      }
    } catch {
      report(error, at: each.range)
    }
    return fields
  }

  private mutating func source(
    _ source: EachSource, of parent: Each<EachSource>.Parent, _ declaration: FlowDeclaration,
    schema compiled: (SchemaDeclaration) -> CompiledSchema
  ) -> ParentSource? {
    switch source {
    case .flow(let id): return .flow(id.value)
    case .values(let values): return .values(values)
    case .replacement(let records, _): return .replacement(records)
    case .expression(let expression, _): return list(expression).map { .values($0) }
    case .file(let path, let schema): return file(path, schema: schema.map(compiled))
    case .rows(let rows): return self.rows(rows, of: declaration).map { .rows($0) }
    case .union(let parts):
      let sources = parts.compactMap { self.source($0, of: parent, declaration, schema: compiled) }
      guard sources.count == parts.count else { return nil }
      return .union(parent.key.first.map { key in sources.map { $0.records(withField: key.value) } } ?? sources)
    }
  }

  private mutating func file(_ template: Located<Template>, schema: CompiledSchema?) -> ParentSource? {
    guard let path = path(template) else { return nil }
    if path.isCSV, schema == nil { diagnostics.report(FlowCompiler.tableWithoutSchema(template.range)) }
    return .file(path, schema ?? .wholeRecords)
  }

  private mutating func rows(
    _ rows: StoredRows<Located<String>, Located<Template>>, of declaration: FlowDeclaration
  ) -> StoredRows<Store<String>, String>? {
    guard let store = store(named: rows.store.value, of: declaration),
      let text = rows.isQuery ? sql(rows.text) : resolve(rows.text)?.text
    else { return nil }
    return StoredRows(text, isQuery: rows.isQuery, in: store)
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

extension ParentSource {
  /// The source as a part of a union: each of its values becomes a record with this one field.
  fileprivate func records(withField field: String) -> ParentSource {
    guard case .values(let values) = self else { return self }
    return .values(values.map { .object(JSONObject([JSONObject.Member(name: field, value: $0)])) })
  }
}
