/// What is asked of the server, with templates.
public struct RequestDeclaration: Sendable {
  /// The request method in upper case.
  public var method: String
  /// `http.base_url`.
  public var baseURL: Located<Template>
  /// The path, relative to the base URL.
  public var path: Located<Template>
  /// Query parameters in order; a list gives one entry per element.
  public var query: [NamedTemplate]
  /// Headers in order: the file's, then the flow's own; a later one of the same name has replaced the earlier.
  public var headers: [NamedTemplate]
  /// The body, if any.
  public var body: BodyDeclaration?

  /// Values for the braces in the path (RFC 6570), by name; a list gives one entry per element.
  public var params: [NamedTemplate] = []
  /// The header by which the server knows a request that it has had before, if any.
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

  /// Whether a template in it takes a name from its scope.
  public func uses(_ root: String) -> Bool {
    path.value.uses(root) || (params + query + headers).contains { $0.value.value.uses(root) }
      || body?.uses(root) ?? false || idempotency?.key?.value.uses(root) ?? false
  }

  /// Path, query and headers as they are written: tells requests apart whose values come later.
  public var templateText: String {
    let named = (params + query + headers).map { "\($0.name.value)=\($0.value.value.sourceText)" }
    return ([path.value.sourceText] + named).joined(separator: "\n")
  }

  /// Whether it depends on what is known only while the flow runs.
  public var isDynamic: Bool {
    path.value.isDynamic || params.contains { $0.value.value.isDynamic } || query.contains { $0.value.value.isDynamic }
      || headers.contains { $0.value.value.isDynamic }
      || body?.isDynamic ?? false || idempotency?.key?.value.isDynamic ?? false
  }
}
