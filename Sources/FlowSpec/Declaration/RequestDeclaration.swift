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

  /// Builds a request.
  public init(
    method: String, baseURL: Located<Template>, path: Located<Template>, query: [NamedTemplate] = [],
    headers: [NamedTemplate] = [], body: BodyDeclaration? = nil
  ) {
    self.method = method
    self.baseURL = baseURL
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}
