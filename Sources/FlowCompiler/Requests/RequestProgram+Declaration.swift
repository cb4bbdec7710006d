internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import Records
internal import SourceDiagnostics
internal import WebSyntax

extension RequestProgram {
  /// Creates the program of a request that depends on values known only while a flow runs.
  init(_ declared: RequestDeclaration, of flow: String, in scope: ResolutionScope) throws(ResolutionError) {
    self.init(flow: flow)
    names = Set(["page", "cursor", "secrets"].filter { declared.uses($0) })
    for segment in declared.path.value.segments {
      let part = Template([segment])
      if case .text(let text) = segment, !declared.params.isEmpty, let braces = try? URITemplate(text) {
        path.append(.braces(braces))
      } else {
        let bound = try part.bound(in: scope)
        if part.isDynamic { path.append(.value(bound)) } else { path += bound.segments.compactMap(Self.text) }
      }
    }
    url = try declared.url?.value.bound(in: scope)
    params = try Self.parameters(declared.params, in: scope)
    query = try Self.parameters(declared.query, in: scope)
    unescaped = declared.unescaped
    for header in declared.headers {
      let template = header.value.value
      // A header that has no value in this run is left out of all requests.
      if template.isOptional, !template.isDynamic, try template.resolveEach(with: scope).isEmpty { continue }
      headers.append((header.name.value, try template.bound(in: scope)))
    }
    switch declared.body {
    case nil: break
    case .json(let document)?, .graphql(let document)?: body = .json(try document.value.bound(in: scope))
    case .form(let pairs)?: body = .form(try Self.parameters(pairs, in: scope))
    case .text(let template)?: body = .text(try template.value.bound(in: scope))
    case .records(let records)?: body = .records(try SentRecords(records, in: scope))
    }
    if let declared = declared.idempotency {
      idempotency = (declared.header.value, try declared.key?.value.bound(in: scope))
    }
  }

  private static func text(_ segment: ExpressionTemplate.Segment) -> PathPart? {
    if case .text(let text) = segment { .text(text) } else { nil }
  }

  private static func parameters(
    _ declared: [NamedTemplate], in scope: ResolutionScope
  ) throws(ResolutionError) -> [Parameter] {
    var parameters: [Parameter] = []
    for one in declared {
      let template = one.value.value
      let value: Parameter.Value =
        template.isDynamic
        ? .template(try template.bound(in: scope)) : .texts(try template.resolveEach(with: scope).map(\.text))
      parameters.append(Parameter(one.name.value, value))
    }
    return parameters
  }
}

extension SentRecords {
  fileprivate init(_ declared: SentRecordsDeclaration, in scope: ResolutionScope) throws(ResolutionError) {
    self.init(areLines: declared.format == .jsonLines)
    location = declared.location
    envelope = try declared.envelope?.value.bound(in: scope)
    guard let schema = declared.schema else { return }
    encoder = PayloadEncoder(
      RecordSchema(schema), sendsNulls: declared.sendsNulls, recordType: schema.recordType, now: scope.now)
    roots = Set(["vars", "env"].filter { schema.uses($0) })
  }
}

extension SchemaDeclaration {
  /// Whether a computed field uses a root from its scope.
  fileprivate func uses(_ root: String) -> Bool {
    fields.contains { field in
      ExpressionTemplate(field.value?.template ?? Template([])).segments.contains {
        if case .expression(let expression) = $0 { expression.references.contains { $0.root == root } } else { false }
      }
    }
  }
}
