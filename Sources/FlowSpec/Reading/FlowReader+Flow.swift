import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What a file gives all of its flows.
  struct FileContext: Sendable {
    var file: FileDeclaration
    var http: HTTPSettings
    var defaults: FlowDefaults
    var schemas: SchemaSet
  }

  /// One flow; nil after reporting at least one error in it, or when its schema is faulty.
  mutating func flow(_ node: YAMLNode, name: String, at range: SourceRange, in context: FileContext) -> FlowDeclaration?
  {
    guard let fields = open(node, as: .flow, owner: range) else { return nil }
    let description = fields.value("description").flatMap { freeText($0) }
    let tags = fields.value("tags").flatMap { self.tags($0) }
    let each = reading("each", of: fields) { $0.each($1, in: context) }
    runtimeNames = each.value?.members ?? namesAsWritten(in: fields.value("each")?.node)
    for key in ["each", "pages", "cursor"] where fields.key(key) == nil && !fields.isLeftOut(key) {
      mayHaveMoreNames = true
    }
    defer { (runtimeNames, mayHaveMoreNames) = ([], false) }
    let isOnePageMeant = isOnePageMeant(fields)
    if fields.key("pages") != nil, !isOnePageMeant { runtimeNames.append(Self.pageName) }
    if let cursor = fields.value("cursor") { runtimeNames.append(Self.cursorName(in: cursor.node)) }
    let resource = reading("resource", of: fields) { $0.resource($1, context.schemas) }
    runtimeNames.removeAll { $0.name == "cursor" }
    let (path, template) = self.records(fields.value("records"))
    let schema = reading("schema", of: fields) { $0.schema($1, flow: name, in: context.schemas) }
    // Records are made without knowing which page they were on.
    let names = runtimeNames
    runtimeNames.removeAll { $0.name == Self.pageName.name }
    if let schema = schema.value, let value = fields.value("schema") { checkComputed(schema, at: value) }
    var mapping = mapping(fields, schema: schema.value)
    mapping.records = template
    runtimeNames = names
    if let added = each.value?.add.first, fields.key("schema") != nil {
      report(
        .misplacedKey, "'each.add' adds fields to records without a schema", at: added.name.range,
        help: "declare the field in the schema")
    }
    let prune = boolean(fields.value("prune"))
    let reachability = boolean(fields.value("reachability"))
    let wait = boolean(fields.value("wait"))
    let persistence = persistence(fields, context.defaults, schema)
    let conditional = boolean(fields.value("conditional")) ?? true
    let rejected = fields.value("rejected").flatMap { rejectedPath($0) }
    let expect = fields.value("expect").flatMap { self.expect($0) } ?? ExpectDeclaration()
    let fixture = fields.value("fixture").flatMap { self.fixture($0) } ?? FixtureDeclaration()
    let httpField = fields.value("http")
    let ownHTTP = self.http(httpField)
    // Most flows leave all of it to their file.
    let http = httpField == nil ? context.http : ownHTTP.over(context.http)
    let ownAuth = reading("auth", of: fields) { $0.auth($1) }
    let pages = fields.value("pages").flatMap { self.pages($0, request: resource) }
    runtimeNames = []
    let cursor = fields.value("cursor").flatMap {
      self.cursor($0, schema, persistence, resource.value, pages, at: fields)
    }
    checkSending(resource.value, each, pages, at: fields)
    checkChanged(each.value, persistence, pages)
    let deadline = duration(fields.value("deadline"))
    let retry = retry(fields.value("retry"))
    let errors = errorRules(fields.value("errors"))
    guard let baseURL = http.baseURL else {
      // A base URL in the wrong place was refused there.
      if !http.hasFaultyBaseURL, !fields.isWritten("base_url") { flowsWithoutBase.append(Located(name, at: range)) }
      return nil
    }
    guard let resource = resource.value, !schema.isBroken else { return nil }
    let headers = HTTPSettings.joined(http.headers, resource.headers)
    let auth = auth(
      ownAuth, ownHTTP, context.http, for: resource, headers: headers, flow: Located(name, at: range))
    let defaults = context.defaults
    var request = RequestDeclaration(
      method: resource.method, baseURL: baseURL, path: resource.path, query: resource.query, headers: headers,
      body: resource.body, params: resource.params)
    request.idempotency = resource.idempotency
    return FlowDeclaration(
      id: "\(context.file.stem).\(name)", name: name, range: range, file: context.file, description: description,
      tags: tags ?? defaults.tags ?? [],
      request: request, auth: auth, each: each.value, records: path, schema: schema.value, mapping: mapping,
      prune: prune ?? defaults.prune ?? true,
      reachability: reachability ?? defaults.reachability ?? true, wait: wait ?? defaults.wait ?? true,
      persistence: persistence.value, conditional: conditional, rejected: rejected, expect: expect, pages: pages,
      isOnePageMeant: isOnePageMeant, cursor: cursor, deadline: deadline,
      retry: retry ?? defaults.retry ?? RetryDeclaration(), errors: errors ?? defaults.errors ?? [],
      rate: http.rate ?? RateDeclaration(),
      timeout: http.timeout ?? Located(60, at: range),
      maxBytes: http.maxBytes ?? 2 << 30, redirects: http.redirects ?? .sameOrigin, allow: http.allow,
      caFile: http.caFile, fixture: fixture, proxy: http.proxy)
  }

  /// Tags, each once.
  mutating func tags(_ value: FieldValue) -> [String]? {
    elements(of: value).map { names($0, role: .tag).map(\.value) }
  }

  mutating func schema(_ value: FieldValue, flow: String, in set: SchemaSet) -> SchemaDeclaration? {
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
      let raw = schema(value.node, name: flow, at: value.key)
      var resolver = SchemaResolver([], outer: set, file: file)
      let schema = resolver.resolve(inline: raw)
      diagnostics.merge(resolver.diagnostics)
      return schema
    case .sequence:
      report(
        .wrongKind, "'schema' is a name or a mapping, not a list", at: value.node.range,
        help: "name a schema, or write '{ fields: { id: integer } }'")
      return nil
    }
  }

  private mutating func expect(_ value: FieldValue) -> ExpectDeclaration? {
    guard !value.node.isNull, let fields = open(value.node, as: .expect, owner: value.key) else { return nil }
    var expect = ExpectDeclaration()
    expect.min = integer(fields.value("min"), in: 0...Int.max)
    expect.max = integer(fields.value("max"), in: 0...Int.max)
    expect.total = jsonPath(fields.value("total"))
    expect.maxRejected = integer(fields.value("max_rejected"), in: 0...Int.max)
    if let status = fields.value("status"), let values = oneOrMore(of: status) {
      expect.status = values.compactMap { self.status($0) }
      if values.isEmpty { report(.missingValue, "'status' is empty", at: status.node.range, help: "leave it out") }
    }
    if let min = expect.min, let max = expect.max, min.value > max.value {
      report(
        .impossibleExpectation, "at most \(max.value) and at least \(min.value) records cannot both hold",
        at: max.range, notes: [Diagnostic.Note("the least number is here", at: min.range)])
    }
    return expect
  }

  private mutating func status(_ value: FieldValue) -> ClosedRange<Int>? {
    guard let text = text(value) else { return nil }
    if let range = StatusText.range(text) { return range }
    report(
      .invalidStatus, "'\(printable(text))' is not a status", at: value.node.range,
      help: "write 200, 2xx or 200-299")
    return nil
  }
}
