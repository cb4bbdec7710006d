internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

enum FieldGroupsKeys {
  static let construct = Construct(
    .fieldGroups, noun: "'field_groups'", "How a request that lists fields is sent once for each group of them.",
    details: """
      For servers that give only some fields of a record in one response, or take only a short list of them. Templates \
      of the request use `field_group`: the names of one request, a list, as in `{{ join(field_group, ',') }}`. For \
      each page one request is sent for each group, in order, and the records of the responses are joined by their \
      key, in the order of the first response. Values beside the records, such as the next page or a total, are also \
      taken from the first response. If several responses have the same member, objects are joined, and otherwise the \
      last value is used. Retries, rates and error rules apply to each request. The responses of a page are kept in \
      memory, together at most 32 MiB; a page has at most 1000 groups. With a single group nothing is joined.
      """,
    fields: [names, key, max, maxBytes, by, partial],
    frame: .init(
      """
      reactor: 1
      vars: { metrics: { type: list, default: [clicks, likes] } }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      schemas:
        customer: { key: id, fields: { id: integer, name: string, city: { value: "{{ upper(source.city) }}" } } }
      flows:
        customers:
          resource: { path: /customers, query: { fields: "{{ join(field_group, ',') }}" } }
          schema: customer
          field_groups:
            ◆
      """, supplies: ["max: 20"], alternatives: ["max": "max_bytes"]))

  static let stored: [Stored<FieldGroups>] = [
    .init(names) { $0.names = $1.map(\.value) }, .init(key) { $0.always = $1.map(\.value) },
    .init(max) { $0.maxNames = $1.value }, .init(maxBytes) { $0.maxBytes = $1.value },
    .init(partial) { $0.keepsMissing = $1 == "keep" },
  ]

  static let names = Field(
    "fields", .oneOrMore(of: .filledLine), default: "the fields of the schema that are read from records",
    "The names that the requests list: a list, or an expression that gives one.",
    details: """
      A name that comes twice is sent once. The records of a parent can give the names: with `each: { flow: fields, \
      batch: 10000 }` write `{{ batch.map(f, f.name) }}`.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["fields: [clicks, likes, shares]", "fields: \"{{ vars.metrics }}\""],
    mistakes: [
      "fields: \"{{ vars.↓metric }}\"": .templateUnknownVariable,
      "fields: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed, "fields: [clicks, ↓\"\"]": .missingValue,
    ])

  static let key = Field(
    "key", .oneOrMore(of: .filledLine), default: "the fields of the schema's key, if `fields` is left out; else none",
    "The names that are in each group.", details: "They come first, and count for `max` and `max_bytes`.",
    secrets: .refused, edit: .asksAnew, examples: ["fields: [date, clicks, likes]\nkey: date\nby: $.date"],
    mistakes: ["key: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed])

  static let max = Field(
    "max", .integer(1...100_000), default: "no limit; this or `max_bytes` is required",
    "The maximum number of names in one request.", edit: .keepsResult, examples: ["max: 20"],
    mistakes: ["max: ↓0": .outOfRange, "max: ↓many": .invalidInteger])

  static let maxBytes = Field(
    "max_bytes", .integer(1...10_000_000), default: "no limit; this or `max` is required",
    "The maximum length of the names of one request, in bytes of UTF-8.",
    details: """
      The length includes one character between two names; names are counted before they are encoded in a URL. A \
      single name that is longer is an error.
      """, edit: .keepsResult, examples: ["max_bytes: 15000"], mistakes: ["max_bytes: ↓15k": .invalidInteger])

  static let by = Field(
    "by", .oneOrMore(of: .jsonPath), default: "where the fields of the schema's key are read from",
    "The members by which the records of the responses belong together: paths in the record as received.",
    details: """
      Every record must have them, with a value that no other record of the same response has. A value can also be a \
      list or an object.
      """, edit: .asksAnew, examples: ["by: $.id", "by: [$.dateRange, $.pivotValues]"],
    mistakes: ["by: ↓id": .invalidPath, "by: ↓\"$.items[*]\"": .invalidPath])

  static let partial = Field(
    "partial", .choice(["fail", "keep"]), default: "fail",
    "What happens to a record that is missing in the response to one of the groups.",
    details: """
      `fail`: the flow fails, because the data changed between two requests of a page. `keep`: the record is kept with \
      the fields that it has; for servers that leave out records in which all fields of the group are empty. A record \
      that the first response does not have comes after the others.
      """, edit: .asksAnew, examples: ["partial: keep"], mistakes: ["partial: ↓drop": .unknownValue])
}

extension FlowReader {
  /// The name `field_group` for templates of requests: the list of the fields of one request.
  static let fieldGroupName = ExpressionType.Member("field_group", .list(.string))

  /// Reads a `field_groups` mapping.
  mutating func fieldGroups(_ value: FieldValue, _ schema: Reading<SchemaDeclaration>) -> FieldGroups? {
    let errors = errorCount
    guard let nodes = open(value, as: .fieldGroups) else { return nil }
    var groups = FieldGroups(range: value.key)
    fill(&groups, with: FieldGroupsKeys.stored, from: nodes)
    groups.keyFields = schema.value?.key.map(\.value) ?? []
    if let paths = read(FieldGroupsKeys.by, of: nodes) {
      groups.key = paths.compactMap { keyPath($0) }
    } else if let schema = schema.value {
      groups.key = Self.keyPaths(of: schema) ?? []
    }
    guard errorCount == errors, !schema.isBroken else { return nil }
    if nodes.isLeftOut(FieldGroupsKeys.names), schema.value == nil {
      return fail(
        .fieldGroups, "'field_groups' needs 'fields', because the flow has no schema from which to take the names",
        at: value.key, help: "add, for example, 'fields: [id, name]'")
    }
    if groups.key.isEmpty {
      return fail(
        .fieldGroups, "'field_groups' needs 'by', because no key of a schema says which records belong together",
        at: value.key, help: "add, for example, 'by: $.id'")
    }
    if groups.maxNames == nil, groups.maxBytes == nil {
      return fail(
        .fieldGroups, "'field_groups' has no limit for the size of a group", at: value.key,
        help: "add 'max' or 'max_bytes'; without 'field_groups' one request lists all: {{ join(schema.fields, ',') }}")
    }
    return groups
  }

  private mutating func keyPath(_ path: Located<JSONPath>) -> [JSONPath.Step]? {
    path.value.memberSteps
      ?? fail(
        .invalidPath, "'\(path.value.text)' does not name one member of a record", at: path.range,
        help: "write names only, for example $.id")
  }

  /// Where the fields of a schema's key are read from; nil without a key that can be found in a record as received.
  private static func keyPaths(of schema: SchemaDeclaration) -> [[JSONPath.Step]]? {
    var paths: [[JSONPath.Step]] = []
    for name in schema.key {
      guard let field = schema.fields.first(where: { $0.name == name.value }), field.value == nil,
        let steps = field.from.value.memberSteps
      else { return nil }
      paths.append(steps)
    }
    return paths
  }
}

/// Checks of other keys of a flow with `field_groups`.
extension FlowReader {
  /// Checks that the requests of a flow differ by their fields, and that their records can be joined.
  ///
  /// - Parameter records: the path of the records; nil for the whole response
  mutating func checkFieldGroups(
    _ groups: FieldGroups, _ resource: RequestDeclaration?, _ records: JSONPath?, _ pages: Pages?,
    _ format: ResponseFormat?, _ mapping: MappingDeclaration, at flow: FieldNodes
  ) {
    if let resource {
      if let problem = unlisted(resource) {
        report(.fieldGroups, problem.message, at: groups.range, help: problem.help)
        return
      }
      if let pages, pages.isLinked, resource.isPathOfGroups {
        report(
          .fieldGroups, "the link to the next page contains the path of the first group only", at: groups.range,
          help: "list the fields in a query parameter, or use other 'pages'")
      }
    }
    let program = mapping.reshape.flatMap { $0.isForEach ? nil : flow.key(FlowKeys.reshape) }
    let packed = format.flatMap { $0.isPlainJSON ? nil : flow.key(FlowKeys.decode) }
    let query = records.flatMap { RecordsShape.isJoinable($0) ? nil : flow.key(FlowKeys.records) }
    let others: [(SourceRange?, String, String)] = [
      (
        flow.key(FlowKeys.job), "the result of a job cannot be requested in groups of fields",
        "leave out one of 'job' and 'field_groups'"
      ),
      (packed, "only the records of JSON responses can be joined", "leave out 'decode'"),
      (
        program, "a program for the whole response gives no records that can be joined",
        "write 'reshape: { each: … }', which reads one record after the other"
      ),
      (
        query, "records of this path cannot be joined",
        "write a plain path, such as $.data or $.data[*], and take the parts of a record with 'reshape: { each: … }'"
      ),
    ]
    for case (let range?, let message, let help) in others {
      report(
        .fieldGroups, message, at: range,
        notes: [Diagnostic.Note("the groups are declared here", at: groups.range)], help: help)
    }
  }

  private func unlisted(_ resource: RequestDeclaration) -> (message: String, help: String)? {
    if resource.body?.records != nil {
      return ("a request that sends records cannot be divided into groups of fields", "leave out 'field_groups'")
    }
    if resource.body?.isGraphQL ?? false {
      return ("a GraphQL query names its own fields", "leave out 'field_groups', and write several flows")
    }
    guard !resource.mayUse("field_group") else { return nil }
    return (
      "no template of the request uses 'field_group', so all groups would have the same request",
      "list the names, for example 'query: { fields: \"{{ join(field_group, ',') }}\" }'"
    )
  }
}

/// The paths of records that can be joined: they lead to one list or one record.
private enum RecordsShape {
  static func isJoinable(_ path: JSONPath) -> Bool {
    guard let steps = path.singularSteps ?? path.elementSteps else { return false }
    return !steps.contains { if case .index(let index) = $0 { index < 0 } else { false } }
  }
}

extension Pages {
  /// Whether the server gives the URL of the next page.
  fileprivate var isLinked: Bool {
    switch strategy {
    case .link, .nextURL: true
    default: false
    }
  }
}

extension RequestDeclaration {
  /// Whether the path depends on the group of fields.
  fileprivate var isPathOfGroups: Bool {
    path.value.uses("field_group") || params.contains { $0.value.value.uses("field_group") }
  }
}
