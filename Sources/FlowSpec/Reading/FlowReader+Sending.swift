import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  // MARK: - Records in a body

  /// Records that are sent; a schema that cannot encode is reported.
  ///
  /// - Parameter schemas: nil where nothing can be sent, as in the requests of a login.
  mutating func sentRecords(_ value: FieldValue, _ schemas: SchemaSet?) -> SentRecordsDeclaration? {
    guard !value.node.isNull else { return nil }
    guard let schemas else {
      report(.sentRecords, "there are no records to send here", at: value.key, help: "use 'json', 'form' or 'text'")
      return nil
    }
    var records = SentRecordsDeclaration(range: value.key, format: .json, place: [], sendsNulls: false)
    if value.node.isScalar {
      guard let spec = Construct.sentRecords["schema"] else { return nil }
      let named = FieldValue(spec: spec, node: value.node, key: value.key)
      records.schema = encodable(named, schemas)
      return records.schema == nil ? nil : records
    }
    guard let fields = open(value.node, as: .sentRecords, owner: value.key) else { return nil }
    if let schema = fields.value("schema") {
      guard let declared = encodable(schema, schemas) else { return nil }
      records.schema = declared
    }
    let formats = SentRecordsDeclaration.Format.allCases.map(\.rawValue)
    records.format = choice(fields.value("format"), formats).flatMap { .init(rawValue: $0) } ?? .json
    records.place = fields.value("at").flatMap { memberPath($0) } ?? []
    records.sendsNulls = boolean(fields.value("nulls")) ?? false
    if records.format == .jsonLines, let key = fields.key("at") ?? fields.key("envelope") {
      report(.bodyForm, "lines have nothing around them", at: key, help: "leave it out, or use 'format: json'")
    } else if let key = fields.key("envelope"), fields.isLeftOut("at") {
      report(
        .bodyForm, "nothing says where in the envelope the records stand", at: key,
        help: "add, for example, 'at: $.items'")
    } else if let envelope = fields.value("envelope") {
      guard case .mapping = envelope.node.content else {
        report(
          .wrongKind, "'envelope' is a mapping, not \(envelope.node.kindWords)", at: envelope.node.range,
          help: "write names and values, as in '{ dry_run: false }'")
        return nil
      }
      guard let document = templatedJSON(envelope.node, in: envelope) else { return nil }
      records.envelope = Located(document, at: envelope.node.range)
    }
    return records
  }

  /// A path of names alone.
  private mutating func memberPath(_ value: FieldValue) -> [JSONPath.Step]? {
    guard let path = jsonPath(value) else { return nil }
    if let steps = path.value.memberSteps { return steps }
    report(
      .invalidPath, "'\(path.value.text)' does not name one member of the body", at: path.range,
      help: "write names only, for example $.data.items")
    return nil
  }

  /// A schema each of whose fields has a place of its own.
  private mutating func encodable(_ value: FieldValue, _ schemas: SchemaSet) -> SchemaDeclaration? {
    guard let schema = schema(value, flow: "records", in: schemas) else { return nil }
    let isHere = if case .mapping = value.node.content { true } else { false }
    return isEncodable(schema.fields, at: isHere ? nil : value.node.range, schema.name) ? schema : nil
  }

  private mutating func isEncodable(_ fields: [FieldDeclaration], at owner: SourceRange?, _ schema: String) -> Bool {
    var places: [(steps: [JSONPath.Step], field: FieldDeclaration)] = []
    for field in fields {
      guard let steps = field.from.value.memberSteps else {
        reportField(
          "field '\(field.name)' cannot be sent: \(field.from.value.text) is no single member", field, at: owner,
          help: "send through a schema whose 'from' names members only, such as $.address.city")
        return false
      }
      if let other = places.first(where: { $0.steps.starts(with: steps) || steps.starts(with: $0.steps) }) {
        let (outer, inner) = steps.count < other.steps.count ? (field, other.field) : (other.field, field)
        reportField(
          "fields '\(outer.name)' and '\(inner.name)' cannot both be sent: one stands at \(outer.from.value.text), "
            + "the other at \(inner.from.value.text)", outer, at: owner,
          help: "send through a schema in which each field has a place of its own")
        return false
      }
      places.append((steps, field))
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
      notes: owner == nil ? [] : [Diagnostic.Note("it is declared here", at: field.range)], help: help)
  }

  // MARK: - Idempotency

  /// The header of a key, and what stands in it.
  mutating func idempotency(
    _ value: FieldValue, method: String?, headers: [NamedTemplate]
  ) -> IdempotencyDeclaration? {
    guard !value.node.isNull else { return nil }
    if let method, method == "GET" || method == "HEAD" || method == "OPTIONS" {
      report(
        .idempotencyKey, "a \(method) request changes nothing, so that it needs no key", at: value.key,
        help: "leave it out, or add 'method: POST'")
    }
    var header: Located<String>?
    var key: Located<Template>?
    if value.node.isScalar {
      guard let spec = Construct.idempotency["header"] else { return nil }
      header = idempotencyHeader(FieldValue(spec: spec, node: value.node, key: value.key))
      if header == nil { return nil }
    } else {
      guard let fields = open(value.node, as: .idempotency, owner: value.key) else { return nil }
      header = fields.value("header").flatMap { idempotencyHeader($0) }
      key = fields.value("key").flatMap { lineTemplate($0) }
      if let key, key.value.segments.isEmpty {
        report(.missingValue, "the key is empty", at: key.range, help: "leave it out: then it is computed")
      }
      if header == nil, fields.key("header") != nil { return nil }
    }
    let name = header ?? Located(IdempotencyDeclaration.defaultHeader, at: value.key)
    if let other = headers.first(where: { $0.name.value.lowercased() == name.value.lowercased() }) {
      report(
        .duplicateItem, "header '\(other.name.value)' is set by 'idempotency' too", at: other.name.range,
        notes: [Diagnostic.Note("'idempotency' stands here", at: value.key)], help: "leave out one of the two")
    }
    return IdempotencyDeclaration(header: name, key: key)
  }

  private mutating func idempotencyHeader(_ value: FieldValue) -> Located<String>? {
    guard let name = name(value, role: .header) else { return nil }
    let reserved = ["host", "content-length", "content-type", "transfer-encoding", "connection", "authorization"]
    guard reserved.contains(name.value.lowercased()) else { return name }
    report(
      .reservedHeader, "header '\(name.value)' has a meaning of its own", at: name.range,
      help: "servers mostly take '\(IdempotencyDeclaration.defaultHeader)'")
    return nil
  }

  // MARK: - Batches

  /// How many records one request is for, and how its answer is looked at.
  mutating func batch(_ value: FieldValue) -> BatchDeclaration? {
    guard !value.node.isNull, let spec = Construct.eachBatch["size"], case .integer(let bounds) = spec.kind else {
      return nil
    }
    if value.node.isScalar {
      return integer(FieldValue(spec: spec, node: value.node, key: value.key), in: bounds)
        .map { BatchDeclaration(size: $0.value) }
    }
    guard let fields = open(value.node, as: .eachBatch, owner: value.key) else { return nil }
    let size = integer(fields.value("size"), in: bounds)
    let results = jsonPath(fields.value("results"))
    let names = runtimeNames
    runtimeNames = [ExpressionType.Member("result", .dynamic)]
    defer { runtimeNames = names }
    let failed = fields.value("failed").flatMap { expression($0, of: .bool) }
    let reason = fields.value("reason").flatMap { expression($0, of: .string) }
    if let key = fields.key("results") ?? fields.key("failed") ?? fields.key("reason"),
      fields.isLeftOut("results") || fields.isLeftOut("failed")
    {
      report(
        .eachBatch, "'results' and 'failed' together tell which records were refused", at: key,
        help: "write both, for example 'results: $.items' and 'failed: has(result.error)'")
      return nil
    }
    guard let size else { return nil }
    guard let results, let failed else { return BatchDeclaration(size: size.value) }
    return BatchDeclaration(
      size: size.value, results: BatchDeclaration.Results(path: results, failed: failed, reason: reason))
  }

  // MARK: - The flow

  /// What a request that sends needs of the rest of its flow.
  mutating func checkSending(
    _ resource: ResourceReading?, _ reading: Reading<EachDeclaration>, _ pages: PagesDeclaration?, at flow: FieldNodes
  ) {
    let each = reading.value
    if let records = resource?.body?.records, !reading.isBroken { check(records, each) }
    if let idempotency = resource?.idempotency {
      if flow.key("pages") != nil, !isOnePageMeant(flow) {
        report(
          .idempotencyKey, "the pages of an answer would all have one key", at: idempotency.header.range,
          help: "a request that only reads may be sent twice: use 'retry: { idempotent: true }'")
      } else if let key = idempotency.key, let each, !mayHaveMoreNames,
        !each.names.contains(where: { key.value.uses($0) })
      {
        report(
          .idempotencyKey, "all items would have the same key", at: key.range,
          help: "use what tells them apart, as in '{{ \(each.names[0]).id }}', or leave 'key' out")
      }
    }
    guard let batch = each?.batch else { return }
    if flow.key("cursor") != nil, let key = flow.key("each") {
      report(
        .eachBatch, "a cursor goes by one record of the parents, not by batches of them", at: key,
        help: "leave out one of 'batch' and 'cursor'")
    }
    if let results = batch.results, pages != nil {
      report(
        .eachBatch, "the results of a batch are in one answer, and 'pages' asks for several", at: results.path.range,
        help: "leave out one of 'results' and 'pages'")
    }
  }

  private mutating func check(_ records: SentRecordsDeclaration, _ each: EachDeclaration?) {
    guard let each else {
      report(
        .sentRecords, "nothing says which records are sent", at: records.range,
        help: "add 'each: { flow: … }' or 'each: { file: … }' to the flow")
      return
    }
    guard each.parents.count == 1 else {
      report(
        .sentRecords, "nothing says which of \(each.parents.count) records is sent", at: records.range,
        help: "take records from one source, or write the body as 'json'")
      return
    }
    guard each.parents[0].source.givesRecords else {
      report(
        .sentRecords, "values are no records", at: records.range, help: "write the body as 'json', with '{{ value }}'")
      return
    }
    guard case .file(let path, let kept?) = each.parents[0].source,
      let fault = SentFields(records, from: "'\(path.value.sourceText)'").fault(given: kept)
    else { return }
    diagnostics.report(fault)
  }
}

extension EachParent.Source {
  /// Whether it gives records, not only values.
  var givesRecords: Bool {
    switch self {
    case .flow, .file: true
    case .values, .expression: false
    }
  }
}

extension JSONPath {
  /// The names that lead to one member; nil for other paths, and for the root.
  var memberSteps: [Step]? {
    guard let steps = singularSteps, !steps.isEmpty,
      steps.allSatisfy({ if case .name = $0 { true } else { false } })
    else { return nil }
    return steps
  }
}
