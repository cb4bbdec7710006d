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
    let each = fields.value("each").flatMap { self.each($0, in: context) }
    runtimeNames = each?.members ?? namesAsWritten(in: fields.value("each")?.node)
    defer { runtimeNames = [] }
    let isOnePageMeant = isOnePageMeant(fields)
    if fields.key("pages") != nil, !isOnePageMeant { runtimeNames.append(Self.pageName) }
    if let cursor = fields.value("cursor") { runtimeNames.append(Self.cursorName(in: cursor.node)) }
    let resource = fields.value("resource").flatMap { self.resource($0, context.schemas) }
    runtimeNames.removeAll { $0.name == "cursor" }
    let (path, template) = self.records(fields.value("records"))
    let schema = fields.value("schema").flatMap { self.schema($0, flow: name, in: context.schemas) }
    let isSchemaRight = schema != nil || fields.key("schema") == nil
    // Records are made without knowing which page they were on.
    let names = runtimeNames
    runtimeNames.removeAll { $0.name == Self.pageName.name }
    if let schema, let value = fields.value("schema") { checkComputed(schema, at: value) }
    var mapping = isSchemaRight ? mapping(fields, schema: schema) : MappingDeclaration()
    mapping.records = template
    runtimeNames = names
    if let added = each?.add.first, fields.key("schema") != nil {
      report(
        .misplacedKey, "'each.add' adds fields to records without a schema", at: added.name.range,
        help: "declare the field in the schema")
    }
    let prune = boolean(fields.value("prune"))
    let reachability = boolean(fields.value("reachability"))
    let wait = boolean(fields.value("wait"))
    let persistence = fields.value("persistence").flatMap { self.persistence($0, context.defaults, schema) }
    let conditional = boolean(fields.value("conditional")) ?? true
    let rejected = fields.value("rejected").flatMap { rejectedPath($0) }
    let expect = fields.value("expect").flatMap { self.expect($0) } ?? ExpectDeclaration()
    let fixture = fields.value("fixture").flatMap { self.fixture($0) } ?? FixtureDeclaration()
    let httpField = fields.value("http")
    let ownHTTP = self.http(httpField)
    // Most flows leave all of it to their file.
    let http = httpField == nil ? context.http : ownHTTP.over(context.http)
    let ownAuth = fields.value("auth").flatMap { self.auth($0) }
    let pages = fields.value("pages").flatMap { self.pages($0, request: resource) }
    runtimeNames = []
    let cursor = fields.value("cursor").flatMap { self.cursor($0, schema, persistence, resource, pages, at: fields) }
    checkSending(resource, each, pages, at: fields)
    checkChanged(each, persistence, pages, at: fields)
    let deadline = duration(fields.value("deadline"))
    let retry = retry(fields.value("retry"))
    let errors = errorRules(fields.value("errors"))
    guard let baseURL = http.baseURL else {
      if !http.hasFaultyBaseURL {
        report(
          .missingBaseURL, "flow '\(name)' has no base URL", at: range,
          help: "add 'http: { base_url: https://… }' to the file or to the flow")
      }
      return nil
    }
    guard let resource, isSchemaRight else { return nil }
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
      request: request, auth: auth, each: each, records: path, schema: schema, mapping: mapping,
      prune: prune ?? defaults.prune ?? true,
      reachability: reachability ?? defaults.reachability ?? true, wait: wait ?? defaults.wait ?? true,
      persistence: persistence, conditional: conditional, rejected: rejected, expect: expect, pages: pages,
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

  private mutating func persistence(
    _ value: FieldValue, _ defaults: FlowDefaults, _ schema: SchemaDeclaration?
  ) -> PersistenceDeclaration? {
    guard !value.node.isNull else { return nil }
    guard let spec = Construct.persistence["path"] else { return nil }
    if case .scalar(let scalar) = value.node.content {
      if scalar.text == "disabled" { return nil }
      return outputPath(FieldValue(spec: spec, node: value.node, key: value.key)).map {
        PersistenceDeclaration(
          path: $0, expiresAfter: defaults.expiresAfter, mode: .replace,
          failOnSaveError: defaults.failOnSaveError ?? true)
      }
    }
    guard let fields = open(value.node, as: .persistence, owner: value.key) else { return nil }
    let path = fields.value("path").flatMap { outputPath($0) }
    let expiresAfter = duration(fields.value("expires_after"))
    let mode = fields.value("mode").flatMap { persistenceMode($0, schema) } ?? .replace
    let failOnSaveError = boolean(fields.value("fail_on_save_error"))
    let deleteWhen = fields.value("delete_when").flatMap { self.deleteWhen($0, mode, schema) }
    return path.map {
      PersistenceDeclaration(
        path: $0, expiresAfter: expiresAfter ?? defaults.expiresAfter, mode: mode, deleteWhen: deleteWhen,
        failOnSaveError: failOnSaveError ?? defaults.failOnSaveError ?? true)
    }
  }

  /// What says that a record is gone; only a merged result has one to take out.
  private mutating func deleteWhen(
    _ value: FieldValue, _ mode: PersistenceMode, _ schema: SchemaDeclaration?
  ) -> Located<Expression>? {
    let names = runtimeNames
    defer { runtimeNames = names }
    runtimeNames = [.init("source", .dynamic)] + names.filter { $0.name != Self.pageName.name }
    guard let expression = expression(value, of: .bool) else { return nil }
    guard mode == .merge else {
      report(
        .misplacedKey, "'delete_when' takes records out of a merged result", at: value.key,
        help: "add 'mode: merge', or leave records out with 'where'")
      return nil
    }
    if let key = schema?.key.first(where: { name in
      schema?.fields.contains { $0.name == name.value && $0.value != nil } ?? false
    }) {
      report(
        .misplacedKey, "the key '\(key.value)' is computed, and of a record that is gone only what it holds is known",
        at: value.key, notes: [Diagnostic.Note("the key is declared here", at: key.range)],
        help: "use a key that is read from the answer")
      return nil
    }
    return expression
  }

  /// A mode; merging needs a key that every record has.
  private mutating func persistenceMode(_ value: FieldValue, _ schema: SchemaDeclaration?) -> PersistenceMode? {
    guard let word = choice(value, PersistenceMode.allCases.map(\.rawValue)), let mode = PersistenceMode(rawValue: word)
    else { return nil }
    guard mode == .merge else { return mode }
    guard let schema, !schema.key.isEmpty else {
      report(
        .mergeWithoutKey, "'mode: merge' needs to know which records are the same", at: value.node.range,
        help: schema == nil
          ? "add a schema with a key, for example 'schema: { key: id, fields: { id: integer } }'"
          : "add 'key: FIELD' to the schema '\(printable(schema?.name ?? ""))'")
      return nil
    }
    for name in schema.key {
      guard let field = schema.fields.first(where: { $0.name == name.value }) else { continue }
      if case .required = field.missing { continue }
      report(
        .mergeWithoutKey, "the key '\(name.value)' may be missing, so that it cannot tell records apart",
        at: value.node.range, notes: [Diagnostic.Note("'\(name.value)' is declared here", at: field.range)],
        help: "make it required: leave out 'optional' and 'default'")
      return nil
    }
    return mode
  }

  /// An output path; what depends on values is checked when they are known.
  mutating func outputPath(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    // A value may hold anything; a letter in its place shows whether the rest can be right.
    do throws(URLFault) {
      try OutputPathText.check(Self.textToCheck(template.value))
      return template
    } catch {
      report(.invalidOutput, error.message, at: value.node.range, help: error.help)
      return nil
    }
  }

  private static func textToCheck(_ template: Template) -> String {
    if case .text(let text)? = template.segments.first, template.segments.count == 1 { return text }
    let text = template.segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    if case .text? = template.segments.last { return text }
    return template.segments.isEmpty ? text : text + ".json"
  }

  /// The path of a file for rejected records, which is JSON Lines.
  private mutating func rejectedPath(_ value: FieldValue) -> Located<Template>? {
    guard !value.node.isNull, let template = outputPath(value) else { return nil }
    guard case .text(let text)? = template.value.segments.last else { return template }
    if text.hasSuffix(".jsonl") { return template }
    report(
      .invalidOutput, "rejected records are kept as JSON Lines", at: value.node.range,
      help: "end the path with '.jsonl'")
    return nil
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
