package import FlowModel
package import JSONSyntax
package import SourceDiagnostics

/// The authorization of a flow's requests as a flow file gives it.
package typealias WrittenAuth = Auth<Located<Template>, SignedToken, RequestDeclaration>

/// A request whose parts may contain templates.
package struct RequestDeclaration: Sendable {
  /// The request method in upper case.
  package var method: String
  /// The base URL from `http.base_url`; empty until the settings of the flow are known.
  package var baseURL: Located<Template>
  /// The path, relative to the base URL.
  package var path: Located<Template>
  /// The query parameters in order. A list becomes one parameter for each element.
  package var query: [NamedTemplate] = []
  /// The headers in order: the file's headers, then the flow's.
  ///
  /// A later header replaces an earlier header of the same name.
  package var headers: [NamedTemplate] = []
  /// The body, if any.
  package var body: BodyDeclaration?
  /// Values for the parameters in braces in the path (RFC 6570), by name.
  ///
  /// A list becomes one entry for each element.
  package var params: [NamedTemplate] = []
  /// The names of query parameters whose values are sent as written.
  package var unescaped: Set<String> = []
  /// The whole URL, instead of base URL and path; nil if the path is used.
  package var url: Located<Template>?
  /// The header by which the server recognizes a repeated request, if any.
  package var idempotency: IdempotencyDeclaration?
  /// Whether the whole request could be read. If not, no further errors of it are reported.
  var isWhole = true

  /// Creates a request that has only a path.
  init(_ path: Located<Template>, method: String = "GET") {
    self.method = method
    self.path = path
    baseURL = Located(Template([]), at: path.range)
  }

  /// A copy with the base URL and the headers of the `http` settings, as a flow sends it.
  ///
  /// - Parameter headers: the headers of the `http` settings, which come before the request's own headers
  package func sent(to base: Located<Template>, headers: [NamedTemplate] = []) -> RequestDeclaration {
    var request = self
    request.baseURL = base
    request.headers = HTTPSettings.joined(headers, self.headers)
    return request
  }

  /// All templates of the request except the base URL.
  var templates: [Template] {
    [path.value] + (url.map { [$0.value] } ?? []) + (params + query + headers).map(\.value.value)
      + (body?.templates ?? [])
      + (idempotency?.key.map { [$0.value] } ?? [])
  }

  /// Whether a template of the request uses a name.
  package func uses(_ root: String) -> Bool { templates.contains { $0.uses(root) } }

  /// Whether a template uses a name, or may use it because the request has an error.
  func mayUse(_ root: String) -> Bool { !isWhole || uses(root) }

  /// The path or the URL, the query and the headers as written.
  ///
  /// They identify a request before its values are known.
  package var templateText: String {
    let named = (params + query + headers).map { "\($0.name.value)=\($0.value.value.sourceText)" }
    let raw = unescaped.isEmpty ? [] : ["unescaped \(unescaped.sorted().joined(separator: "&"))"]
    return ([path.value.sourceText] + (url.map { ["url \($0.value.sourceText)"] } ?? []) + named + raw).joined(
      separator: "\n")
  }

  /// Whether the request needs values that are known only while the flow runs.
  package var isDynamic: Bool { body?.isDynamic ?? false || templates.contains { $0.isDynamic } }
}

/// A request body in one of the supported formats.
package enum BodyDeclaration: Sendable {
  /// A JSON document whose strings may contain templates.
  case json(Located<TemplatedJSON>)
  /// `application/x-www-form-urlencoded` pairs.
  case form([NamedTemplate])
  /// Text that is sent without further encoding.
  case text(Located<Template>)
  /// A GraphQL request, which is a JSON document. Its response is checked for `errors`.
  case graphql(Located<TemplatedJSON>)
  /// The records of the flow's `each`.
  case records(SentRecordsDeclaration)

  /// All templates of the body.
  var templates: [Template] {
    switch self {
    case .json(let document), .graphql(let document): document.value.templates
    case .form(let pairs): pairs.map(\.value.value)
    case .text(let template): [template.value]
    case .records(let records): records.envelope?.value.templates ?? []
    }
  }

  /// Whether the body needs values that are known only while the flow runs.
  package var isDynamic: Bool { records != nil || templates.contains { $0.isDynamic } }

  /// Whether the body is a JSON document.
  var isJSON: Bool {
    switch self {
    case .json, .graphql: true
    case .form, .text: false
    case .records(let records): records.format == .json
    }
  }

  /// The records to send; nil for a body without records.
  package var records: SentRecordsDeclaration? { if case .records(let records) = self { records } else { nil } }

  /// Whether the body is a GraphQL request.
  package var isGraphQL: Bool { if case .graphql = self { true } else { false } }
}

/// The records of the flow's `each` that a request sends, encoded by a schema.
package struct SentRecordsDeclaration: Sendable {
  /// The format of records in a body.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// A JSON object, or in a batch a JSON array of objects.
    case json
    /// JSON Lines: one line for each record.
    case jsonLines = "jsonl"
  }

  /// The source location of the declaration.
  package var range: SourceRange
  /// The schema that encodes the records; nil sends them as stored.
  package var schema: SchemaDeclaration?
  /// The format of records in a body.
  package var format: Format
  /// The path of the body's member that contains the records. If it is empty, the records are the whole body.
  package var location: [JSONPath.Step]
  /// The members of the body in addition to the records.
  package var envelope: Located<TemplatedJSON>?
  /// Whether fields that are null are sent as null. If false, they are left out.
  package var sendsNulls: Bool

  /// The declaration as text. It identifies a request before its records are known.
  package var identity: String {
    let schema = schema.map { "\($0.name)" } ?? ""
    let envelope = envelope?.value.sourceText ?? ""
    return "records \(schema) \(format.rawValue) \(JSONPath(singular: location).text) \(envelope) \(sendsNulls)"
  }
}

/// The header by which a server recognizes a repeated request.
package struct IdempotencyDeclaration: Sendable {
  /// The default name of the header.
  package static let defaultHeader = "Idempotency-Key"

  /// The header's name.
  package var header: Located<String>
  /// The value of the header. If it is nil, the value is computed from flow, item and request.
  package var key: Located<Template>?
}
