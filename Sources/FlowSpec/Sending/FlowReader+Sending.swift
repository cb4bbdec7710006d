import Expressions
import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  // MARK: - Records in a body

  /// Reads the key `records` of a body, which sends the records of `each`.
  mutating func sentRecords(_ value: FieldValue) -> BodyDeclaration? {
    guard value.scope.file.schemas != nil else {
      return fail(
        .sentRecords, "this request has no records that it could send", at: value.key,
        help: "use 'json', 'form' or 'text'")
    }
    var records = SentRecordsDeclaration(range: value.key, format: .json, location: [], sendsNulls: false)
    if value.node.isScalar {
      records.schema = read(SentRecordsKeys.schema, short: value)
      return records.schema.map { _ in .records(records) }
    }
    guard let nodes = open(value, as: .sentRecords) else { return nil }
    records.schema = read(SentRecordsKeys.schema, of: nodes)
    guard records.schema != nil || nodes.key(SentRecordsKeys.schema) == nil else { return nil }
    records.format = read(SentRecordsKeys.format, of: nodes) ?? .json
    records.location = read(SentRecordsKeys.at, of: nodes) ?? []
    records.sendsNulls = read(SentRecordsKeys.empty, of: nodes) == "keep"
    let envelope = nodes.key(SentRecordsKeys.envelope)
    if records.format == .jsonLines, let key = nodes.key(SentRecordsKeys.at) ?? envelope {
      report(.bodyForm, "'path' and 'json' need 'format: json'", at: key, help: "leave it out, or use 'format: json'")
    } else if let envelope, nodes.isLeftOut(SentRecordsKeys.at) {
      report(
        .bodyForm, "'json' needs 'path'", at: envelope,
        help: "add, for example, 'path: $.items'")
    } else if envelope != nil {
      records.envelope = read(SentRecordsKeys.envelope, of: nodes)
      guard records.envelope != nil else { return nil }
    }
    return .records(records)
  }

  /// Reads a schema for sent records. Each of its fields must have its own location.
  mutating func encodable(_ value: FieldValue) -> SchemaDeclaration? {
    guard let schema = schema(value, named: "records") else { return nil }
    let isHere = if case .mapping = value.node.content { true } else { false }
    return isEncodable(schema.fields, at: isHere ? nil : value.node.range, schema.name) ? schema : nil
  }

  private mutating func isEncodable(_ fields: [FieldDeclaration], at owner: SourceRange?, _ schema: String) -> Bool {
    var locations: [(steps: [JSONPath.Step], field: FieldDeclaration)] = []
    for field in fields {
      guard let steps = field.from.value.memberSteps else {
        reportField(
          "field '\(field.name)' cannot be sent: \(field.from.value.text) does not name a single member", field,
          at: owner,
          help: "use a schema whose 'from' names members only, such as $.address.city")
        return false
      }
      if let other = locations.first(where: { $0.steps.starts(with: steps) || steps.starts(with: $0.steps) }) {
        let (outer, inner) = steps.count < other.steps.count ? (field, other.field) : (other.field, field)
        reportField(
          "fields '\(outer.name)' and '\(inner.name)' cannot both be sent: one is at \(outer.from.value.text), "
            + "the other at \(inner.from.value.text)", outer, at: owner,
          help: "use a schema in which each field has its own location")
        return false
      }
      locations.append((steps, field))
      guard isEncodable(inside: field.type, at: owner, schema) else { return false }
    }
    return true
  }

  private mutating func isEncodable(inside type: TypeDeclaration, at owner: SourceRange?, _ schema: String) -> Bool {
    switch type {
    case .object(let fields): isEncodable(fields, at: owner, schema)
    case .list(let element): isEncodable(inside: element, at: owner, schema)
    default: true
    }
  }

  private mutating func reportField(
    _ message: String, _ field: FieldDeclaration, at owner: SourceRange?, help: String
  ) {
    report(
      .sentField, message, at: owner ?? field.from.range,
      notes: owner == nil ? [] : [Diagnostic.Note("the field is declared here", at: field.range)], help: help)
  }

  // MARK: - Idempotency

  /// Reads the header for an idempotency key, and the key's value.
  mutating func idempotency(
    _ value: FieldValue, method: String?, headers: [NamedTemplate]
  ) -> IdempotencyDeclaration? {
    guard !value.node.isNull else { return nil }
    if let method, method == "GET" || method == "HEAD" || method == "OPTIONS" {
      report(
        .idempotencyKey, "a \(method) request needs no idempotency key", at: value.key,
        help: "leave it out, or add 'method: POST'")
    }
    var header: Located<String>?
    var key: Located<Template>?
    if value.node.isScalar {
      header = read(IdempotencyKeys.header, short: value)
      if header == nil { return nil }
    } else {
      guard let nodes = open(value, as: .idempotency) else { return nil }
      header = read(IdempotencyKeys.header, of: nodes)
      key = read(IdempotencyKeys.key, of: nodes)
      if let key, key.value.segments.isEmpty {
        report(
          .missingValue, "the idempotency key is empty", at: key.range,
          help: "leave it out: reactor then computes the key")
      }
      if header == nil, nodes.key(IdempotencyKeys.header) != nil { return nil }
    }
    let name = header ?? Located(IdempotencyDeclaration.defaultHeader, at: value.key)
    if let other = headers.first(where: { $0.name.value.lowercased() == name.value.lowercased() }) {
      report(
        .duplicateItem, "header '\(other.name.value)' is also set by 'idempotency'", at: other.name.range,
        notes: [Diagnostic.Note("'idempotency' is declared here", at: value.key)], help: "remove one of the two")
    }
    return IdempotencyDeclaration(header: name, key: key)
  }

  mutating func idempotencyHeader(_ value: FieldValue) -> Located<String>? {
    guard let name = name(value, role: .header) else { return nil }
    let reserved = ["host", "content-length", "content-type", "transfer-encoding", "connection", "authorization"]
    guard reserved.contains(name.value.lowercased()) else { return name }
    return fail(
      .reservedHeader, "header '\(name.value)' is reserved", at: name.range,
      help: "most servers use '\(IdempotencyDeclaration.defaultHeader)'")
  }

  // MARK: - Batches

  /// Reads the size of a batch and the location of the results in its response.
  mutating func batch(_ value: FieldValue) -> RequestBatch? {
    if value.node.isScalar { return read(BatchKeys.size, short: value).map { RequestBatch(size: $0.value) } }
    let scope = value.scope.with([ExpressionType.Member("result", .dynamic)])
    guard let nodes = open(value, as: .eachBatch, in: scope) else { return nil }
    let size = read(BatchKeys.size, of: nodes)
    let results = read(BatchKeys.results, of: nodes)
    let failed = read(BatchKeys.failed, of: nodes)
    let reason = read(BatchKeys.reason, of: nodes)
    if let key = nodes.key(BatchKeys.results) ?? nodes.key(BatchKeys.failed) ?? nodes.key(BatchKeys.reason),
      nodes.isLeftOut(BatchKeys.results) || nodes.isLeftOut(BatchKeys.failed)
    {
      return fail(
        .eachBatch, "'records' and 'failed' must be declared together", at: key,
        help: "write both, for example 'records: $.items' and 'failed: has(result.error)'")
    }
    guard let size else { return nil }
    guard let results, let failed else { return RequestBatch(size: size.value) }
    return RequestBatch(size: size.value, results: .init(path: results, failed: failed, reason: reason))
  }

  // MARK: - The flow

  /// Checks a request that sends records against the rest of its flow.
  mutating func checkSending(
    _ resource: RequestDeclaration?, _ reading: Reading<EachReading>, _ pages: Pages?, at flow: FieldNodes,
    in scope: Scope
  ) {
    let each = reading.value?.each
    if let records = resource?.body?.records, !reading.isBroken { check(records, each) }
    if let idempotency = resource?.idempotency {
      if flow.key(FlowKeys.pages) != nil, !isOnePageMeant(flow) {
        report(
          .idempotencyKey, "all pages would have the same idempotency key", at: idempotency.header.range,
          help: "a request that only reads may be sent twice: use 'retry: { idempotency: true }'")
      } else if let key = idempotency.key, let each, !scope.mayHaveMore,
        !each.names.contains(where: { key.value.uses($0) })
      {
        report(
          .idempotencyKey, "all items would have the same idempotency key", at: key.range,
          help: "use a field that differs, as in '{{ \(each.names[0]).id }}', or leave 'key' out")
      }
    }
    guard let batch = each?.batch else { return }
    if flow.key(FlowKeys.cursor) != nil, let key = flow.key(FlowKeys.each) {
      report(
        .eachBatch, "a cursor works with single records, not with batches", at: key,
        help: "leave out one of 'batch' and 'cursor'")
    }
    if let results = batch.results, pages != nil {
      report(
        .eachBatch, "'records' reads one response, and 'pages' requests several", at: results.path.range,
        help: "leave out one of 'records' and 'pages'")
    }
  }

  private mutating func check(_ records: SentRecordsDeclaration, _ each: Each<EachSource>?) {
    guard let each else {
      report(
        .sentRecords, "the source of the records to send is missing", at: records.range,
        help: "add 'each: { flow: … }' or 'each: { file: … }' to the flow")
      return
    }
    guard each.parents.count == 1 else {
      report(
        .sentRecords, "'each' has \(each.parents.count) sources, so the record to send is ambiguous", at: records.range,
        help: "take records from one source, or write the body as 'json'")
      return
    }
    guard each.parents[0].source.givesRecords else {
      report(
        .sentRecords, "'each' gives values, not records", at: records.range,
        help: "write the body as 'json', with '{{ value }}'")
      return
    }
    guard case .file(let path, let stored?) = each.parents[0].source,
      let error = SentFields(records, from: "'\(path.value.sourceText)'").error(given: stored)
    else { return }
    diagnostics.report(error)
  }
}
