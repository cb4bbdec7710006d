internal import Boxes
import Expressions
internal import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The settings that all flows of a file share.
  struct FileContext: Sendable {
    @Boxed var file: FileDeclaration
    @Boxed var http: HTTPSettings
    @Boxed var defaults: FlowDefaults
    var scope: Scope

    init(_ file: FileDeclaration, _ http: HTTPSettings, _ defaults: FlowDefaults, scope: Scope) {
      var http = http
      if let retry = defaults.retry { http.transfer.retry = retry }
      if let errors = defaults.errors { http.transfer.errors = errors }
      self.file = file
      self.http = http
      self.defaults = defaults
      self.scope = scope
    }
  }

  /// Reads one flow; returns nil if the flow or its schema has an error.
  mutating func flow(_ node: YAMLNode, name: String, at range: SourceRange, in context: FileContext) -> FlowDeclaration?
  {
    guard let nodes = open(node, as: FlowKeys.construct, owner: range, scope: context.scope) else { return nil }
    let description = read(FlowKeys.description, of: nodes)
    let tags = read(FlowKeys.tags, of: nodes)?.map(\.value)
    let when = read(FlowKeys.when, of: nodes)
    let schedule = read(FlowKeys.schedule, of: nodes)
    let each = reading(FlowKeys.each, of: nodes)
    let scopes = scopes(nodes, each, context.scope)
    let isOnePageMeant = isOnePageMeant(nodes)
    // The pages of a flow with a job are those of its download.
    let hasJob = nodes.key(FlowKeys.job) != nil
    let requestScope = hasJob ? scopes.request.without("page") : scopes.request
    let resource = reading(FlowKeys.resource, of: nodes, in: requestScope)
    let job = job(nodes, page: scopes.page, in: scopes.item)
    let download = download(nodes, in: scopes.item)
    let records = read(FlowKeys.records, of: nodes, in: scopes.item.with([]))
    let decode = read(FlowKeys.decode, of: nodes)
    checkDecode(decode, nodes, records?.path?.value)
    checkPagePaths(nodes, records?.path?.value)
    let schema = flattened(schema(nodes, named: name), nodes)
    if let schema = schema.value,
      let value = nodes.value(FlowKeys.schema, in: withCursor(scopes.item, nodes, schema))
    {
      checkComputed(schema, at: value)
    }
    var mapping = mapping(nodes, schema: schema.value, in: scopes.item)
    mapping.records = records?.template
    if let added = each.value?.each.add.first, nodes.key(FlowKeys.schema) != nil {
      report(
        .misplacedKey, "'each.add' cannot be used with a schema", at: added.name.range,
        help: "declare the field in the schema")
    }
    let fieldGroups = nodes.value(FlowKeys.fieldGroups, in: scopes.fields).flatMap { self.fieldGroups($0, schema) }
    let prune = read(FlowKeys.prune, of: nodes)
    let reachability = read(FlowKeys.reachability, of: nodes)
    let wait = read(FlowKeys.wait, of: nodes)
    let persistence = persistence(nodes, context.defaults, schema, in: scopes.page)
    let conditional = read(FlowKeys.conditional, of: nodes)
    let rejected = rejected(nodes, in: scopes.page)
    let expect = read(FlowKeys.expect, of: nodes)
    let fixture = read(FlowKeys.fixture, of: nodes)
    let httpValue = nodes.value(FlowKeys.http, in: scopes.page)
    let ownHTTP = self.http(httpValue, over: context.http.$transfer)
    // Most flows have no `http` settings of their own.
    let http = httpValue == nil ? context.http : ownHTTP.over(context.http)
    let ownAuth = reading(HTTPKeys.auth, of: nodes, in: scopes.page)
    let pages = nodes.value(FlowKeys.pages, in: withCursor(scopes.page, nodes, schema.value)).flatMap {
      self.pages($0, request: hasJob ? job.downloaded : resource)
    }
    let outside = scopes.item.with([])
    let cursor = nodes.value(FlowKeys.cursor, in: outside).flatMap {
      self.cursor($0, schema, persistence, resource.value, pages, at: nodes)
    }
    if let location = each.value?.each.keepsEmpty, nodes.key(FlowKeys.cursor) != nil {
      report(
        .contradiction, "'empty: keep' cannot be used with a cursor: a parent without new records is not empty",
        at: location, help: "leave out 'empty' or 'cursor'")
    }
    if let location = persistence.value?.keepsLastOnly, let each = each.value?.each, each.skipsFailed {
      report(
        .contradiction, "with 'duplicates: last' the earlier records of a failed parent cannot be found", at: location,
        notes: [Diagnostic.Note("the parents are declared here", at: each.range)],
        help: "add 'on_error: fail' to 'each', or use 'mode: merge'")
    }
    if let job = job.value { checkJob(job, resource.value, expect, at: nodes) }
    if download.value != nil { checkDownload(resource.value, each.value?.each, expect, at: nodes) }
    checkSending(resource.value, each, pages, at: nodes, in: outside)
    checkChanged(each.value?.each, persistence, pages)
    let firstRun = nodes.value(FlowKeys.firstRun).flatMap {
      self.firstRun($0, of: node, name: name, at: range, in: context)
    }
    if firstRun != nil, let key = nodes.key(FlowKeys.firstRun), nodes.isLeftOut(FlowKeys.cursor) {
      report(
        .misplacedKey, "'first_run' needs a cursor, whose position says which run is the first", at: key,
        help: "add 'cursor', or leave 'first_run' out")
    }
    if let fieldGroups {
      checkFieldGroups(fieldGroups, resource.value, records?.path?.value, pages, decode, mapping, at: nodes)
    }
    let deadline = read(FlowKeys.deadline, of: nodes)
    let retry = read(FlowKeys.retry, of: nodes)
    let errors = read(FlowKeys.errors, of: nodes, in: outside)
    if nodes.isLeftOut(FlowKeys.cursor) || cursor != nil {
      checkCapRules(cursor, errors ?? context.defaults.errors ?? [], own: errors ?? [])
      checkShrinking(pages, errors ?? [], at: nodes)
    }
    guard let baseURL = http.baseURL else {
      // If the flow has a misplaced `base_url`, that error was already reported.
      if !http.hasInvalidBaseURL, !nodes.isWritten(HTTPKeys.baseURL) {
        flowsWithoutBase.append(Located(name, at: range))
      }
      return nil
    }
    guard let resource = resource.value, !schema.isBroken, !job.isBroken, !download.isBroken else {
      return nil
    }
    var request = resource.sent(to: baseURL, headers: http.headers)
    if let key = nodes.key(FlowKeys.download), download.value != nil,
      !request.headers.contains(where: { $0.name.value.lowercased() == "accept" })
    {
      request.headers.append(Named(Located("Accept", at: key), Located(Template(text: "*/*"), at: key)))
    }
    let auth = auth(ownAuth, ownHTTP, context.http, for: request, flow: Located(name, at: range))
    let defaults = context.defaults
    var pull = PullDeclaration(request)
    pull.fieldGroups = fieldGroups
    pull.decode = decode
    pull.records = records?.path
    pull.mapping = mapping
    pull.pages = pages
    pull.isOnePageMeant = isOnePageMeant
    pull.cursor = cursor
    pull.job = job.value?.mapRequests { $0.sent(to: baseURL, headers: http.headers) }
    var flow = FlowDeclaration(
      id: "\(context.file.stem).\(name)", name: name, range: range, file: context.$file, pull: pull,
      transfer: ownHTTP.$transfer)
    if httpValue != nil || retry != nil || errors != nil || download.value != nil {
      var transfer = ownHTTP.transfer
      transfer.clientCertificate = clientCertificate(ownHTTP, over: context.http, of: name)
      if let retry { transfer.retry = retry }
      if let errors { transfer.errors = errors }
      // A shared response is held in memory.
      if download.value != nil { transfer.sharesResponses = false }
      flow.transfer = transfer
    }
    flow.description = description
    flow.tags = tags ?? defaults.tags ?? []
    flow.when = when
    flow.schedule = schedule ?? defaults.schedule
    flow.auth = auth
    flow.each = each.value?.each
    flow.schema = schema.value
    flow.prune = prune ?? defaults.prune ?? true
    flow.reachability = reachability ?? defaults.reachability ?? true
    var result = persistence.value ?? ResultStorage()
    result.rejected = rejected
    result.waits = wait ?? defaults.wait ?? true
    result.isConditional = conditional ?? true
    flow.result = result
    if let expect { flow.expect = expect }
    flow.expect.freshness = flow.expect.freshness ?? defaults.freshness
    flow.firstRun = firstRun
    flow.download = download.value
    flow.deadline = deadline
    if let fixture { flow.fixture = fixture }
    return flow
  }

  /// Reads the job of a flow.
  private mutating func job(_ nodes: FieldNodes, page: Scope, in scope: Scope) -> Reading<Job<RequestDeclaration>> {
    guard let value = nodes.value(FlowKeys.job, in: scope) else {
      return nodes.isLeftOut(FlowKeys.job) ? .absent : .broken
    }
    return job(value, page: page.names.first { $0.name == "page" }).map { .value($0) } ?? .broken
  }

  /// The names that templates may use, for different parts of a flow.
  private struct FlowScopes {
    /// The names of the parents.
    var item: Scope
    /// The names of the parents, and `page`.
    var page: Scope
    /// The names of the parents, and `schema`.
    var fields: Scope
    /// The names of the parents, `page`, `schema`, `field_group` and `cursor`.
    var request: Scope
  }

  private func scopes(_ nodes: FieldNodes, _ each: Reading<EachReading>, _ file: Scope) -> FlowScopes {
    var item = file.with(each.value?.each.members ?? namesAsWritten(in: nodes.value(FlowKeys.each)?.node))
    let givers: [any FieldSpec] = [FlowKeys.each, FlowKeys.fieldGroups, FlowKeys.pages, FlowKeys.cursor]
    item.mayHaveMore =
      each.value?.mayHaveMoreNames ?? false
      || givers.contains { nodes.key($0) == nil && !nodes.isLeftOut($0) }
    var page = item
    if nodes.key(FlowKeys.pages) != nil, !isOnePageMeant(nodes) { page.names.append(Self.pageName) }
    var request = page
    var fields = item
    if nodes.key(FlowKeys.schema) != nil {
      request.names.append(Self.schemaName)
      fields.names.append(Self.schemaName)
    }
    if nodes.key(FlowKeys.fieldGroups) != nil { request.names.append(Self.fieldGroupName) }
    if let cursor = nodes.value(FlowKeys.cursor) { request.names.append(cursorName(in: cursor)) }
    return FlowScopes(item: item, page: page, fields: fields, request: request)
  }

  /// The fields of the schema that are read from records, in requests: `schema.fields`, a list of names.
  static let schemaName = ExpressionType.Member("schema", .object(["fields": .list(.string)]))

  /// The scope with the name `cursor`, for expressions of `pages` and of fields. In them, the bounds of the requested
  /// range have the type of the cursor's field.
  private func withCursor(_ scope: Scope, _ nodes: FieldNodes, _ schema: SchemaDeclaration?) -> Scope {
    guard let cursor = nodes.value(FlowKeys.cursor) else { return scope }
    return scope.adding(cursorInRecords(cursor, schema))
  }

  /// Reads the schema of a flow.
  private mutating func schema(_ nodes: FieldNodes, named name: String) -> Reading<SchemaDeclaration> {
    guard let value = nodes.value(FlowKeys.schema) else {
      return nodes.isLeftOut(FlowKeys.schema) ? .absent : .broken
    }
    let inference = SchemaInference(flow: name, cursor: nodes.value(FlowKeys.cursor)?.node)
    return schema(value, named: name, inference: inference).map { .value($0) } ?? .broken
  }

  /// Reads a schema: the name of a declared schema, or an inline schema.
  mutating func schema(
    _ value: FieldValue, named flow: String, inference: SchemaInference? = nil
  ) -> SchemaDeclaration? {
    let set = value.scope.file.schemas ?? SchemaSet()
    switch value.node.content {
    case .scalar(let scalar):
      guard !scalar.isNull, let name = name(value, role: .schema) else { return nil }
      switch set.lookUp(name.value) {
      case .schema(let schema): return schema
      case .faulty: return nil
      case .unknown:
        reportUnknownSchema(name, in: set)
        return nil
      }
    case .mapping:
      let raw = schema(value.node, name: flow, at: value.key, scope: value.scope, inference: inference)
      var resolver = SchemaResolver([], outer: set, file: file)
      let schema = resolver.resolve(inline: raw)
      diagnostics.merge(resolver.diagnostics)
      return schema
    case .sequence:
      return fail(
        .wrongKind, "'schema' must be a name or a mapping, not a list", at: value.node.range,
        help: "name a schema, or write '{ fields: { id: integer } }'")
    }
  }
}
