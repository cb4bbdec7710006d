public import JSONSyntax
public import SourceDiagnostics

/// A request, with templates.
public struct RequestDeclaration: Sendable {
  /// The request method in upper case.
  public var method: String
  /// `http.base_url`.
  public var baseURL: Located<Template>
  /// The path, relative to the base URL.
  public var path: Located<Template>
  /// Query parameters in order; a list gives one entry per element.
  public var query: [NamedTemplate]
  /// Headers in order: the file's, then the flow's; a later one replaces an earlier one of the same name.
  public var headers: [NamedTemplate]
  /// The body, if any.
  public var body: BodyDeclaration?

  /// Values for the braces in the path (RFC 6570), by name; a list gives one entry per element.
  public var params: [NamedTemplate] = []
  /// The header by which the server recognizes a repeated request, if any.
  public var idempotency: IdempotencyDeclaration?

  /// Builds a request.
  public init(
    method: String, baseURL: Located<Template>, path: Located<Template>, query: [NamedTemplate] = [],
    headers: [NamedTemplate] = [], body: BodyDeclaration? = nil, params: [NamedTemplate] = []
  ) {
    self.method = method
    self.baseURL = baseURL
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.params = params
  }

  /// All templates in it but the base URL.
  var templates: [Template] {
    [path.value] + (params + query + headers).map(\.value.value) + (body?.templates ?? [])
      + (idempotency?.key.map { [$0.value] } ?? [])
  }

  /// Whether a template in it uses a name.
  public func uses(_ root: String) -> Bool { templates.contains { $0.uses(root) } }

  /// Path, query and headers as written: identifies a request before its values are known.
  public var templateText: String {
    let named = (params + query + headers).map { "\($0.name.value)=\($0.value.value.sourceText)" }
    return ([path.value.sourceText] + named).joined(separator: "\n")
  }

  /// Whether it needs values that are known only while the flow runs.
  public var isDynamic: Bool { body?.isDynamic ?? false || templates.contains { $0.isDynamic } }
}

/// A request body in one of its forms.
public enum BodyDeclaration: Sendable {
  /// A JSON document whose strings may hold templates.
  case json(Located<TemplatedJSON>)
  /// `application/x-www-form-urlencoded` pairs.
  case form([NamedTemplate])
  /// Text as it is.
  case text(Located<Template>)
  /// A GraphQL request: a JSON document; its response is checked for `errors`.
  case graphql(Located<TemplatedJSON>)
  /// The records of the flow's `each`.
  case records(SentRecordsDeclaration)

  /// All templates in it.
  var templates: [Template] {
    switch self {
    case .json(let document), .graphql(let document): document.value.templates
    case .form(let pairs): pairs.map(\.value.value)
    case .text(let template): [template.value]
    case .records(let records): records.envelope?.value.templates ?? []
    }
  }

  /// Whether it needs values that are known only while the flow runs.
  public var isDynamic: Bool { records != nil || templates.contains { $0.isDynamic } }

  /// Whether it is a JSON document.
  var isJSON: Bool {
    switch self {
    case .json, .graphql: true
    case .form, .text: false
    case .records(let records): records.format == .json
    }
  }

  /// The sent records, if it has this form.
  public var records: SentRecordsDeclaration? { if case .records(let records) = self { records } else { nil } }

  /// Whether it is a GraphQL request.
  public var isGraphQL: Bool { if case .graphql = self { true } else { false } }
}

/// The records that a flow sends: those of its `each`, encoded with a schema.
public struct SentRecordsDeclaration: Sendable {
  /// The format of several records in one body.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// An object, or an array of them in a batch.
    case json
    /// A line for each.
    case jsonLines = "jsonl"
  }

  /// Its source location.
  public var range: SourceRange
  /// How records are encoded; nil sends them as stored.
  public var schema: SchemaDeclaration?
  /// The format of several records in one body.
  public var format: Format
  /// The member of the body for the records; empty for the body itself.
  public var location: [JSONPath.Step]
  /// The other members of the body.
  public var envelope: Located<TemplatedJSON>?
  /// Whether fields that are null are sent as null; else they are left out.
  public var sendsNulls: Bool

  /// The body as text: identifies a request before its records are known.
  public var identity: String {
    let schema = schema.map { "\($0.name)" } ?? ""
    let envelope = envelope?.value.sourceText ?? ""
    return "records \(schema) \(format.rawValue) \(JSONPath(singular: location).text) \(envelope) \(sendsNulls)"
  }
}

/// JSON whose strings may be templates; a string that is exactly one template keeps the type of its value.
public indirect enum TemplatedJSON: Sendable {
  /// A value without templates.
  case constant(JSONValue)
  /// A template and where it was written.
  case template(Located<Template>)
  /// A list.
  case array([TemplatedJSON])
  /// Members in order.
  case object([(name: String, value: TemplatedJSON)])

  /// A text; it stays one for any values of its templates.
  init(text: Located<Template>) {
    self = text.value.constantText.map { .constant(.string($0)) } ?? .template(text)
  }

  /// All templates in it.
  var templates: [Template] {
    switch self {
    case .constant: []
    case .template(let template): [template.value]
    case .array(let elements): elements.flatMap(\.templates)
    case .object(let members): members.flatMap(\.value.templates)
    }
  }

  /// Whether it needs values that are known only while the flow runs.
  public var isDynamic: Bool { templates.contains { $0.isDynamic } }

  /// Whether a template in it uses a name.
  func uses(_ root: String) -> Bool { templates.contains { $0.uses(root) } }
}

/// A name with a templated value.
public struct NamedTemplate: Sendable {
  /// The parameter or header name.
  public var name: Located<String>
  /// Its value.
  public var value: Located<Template>
}

/// The header by which a server recognizes a repeated request.
public struct IdempotencyDeclaration: Sendable {
  /// The default name of the header.
  public static let defaultHeader = "Idempotency-Key"

  /// The header's name.
  public var header: Located<String>
  /// Its value; nil: computed from flow, item and request.
  public var key: Located<Template>?
}
