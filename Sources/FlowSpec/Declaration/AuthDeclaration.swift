/// How a flow's requests are authorized; every template is still unresolved.
public enum AuthDeclaration: Sendable {
  /// Not at all, whatever the file says.
  case none
  /// `Authorization: Bearer …`
  case bearer(Located<Template>)
  /// User name and password, RFC 7617.
  case basic(username: Located<Template>, password: Located<Template>)
  /// A key in a header, in the query or in the body.
  case apiKey(place: AuthLocationDeclaration, value: Located<Template>)
  /// A token of an authorization server, RFC 6749.
  case oauth2(AuthDeclaration.OAuth2)
  /// A token that requests of the API itself give.
  case login(AuthDeclaration.Login)

  /// The kind as files write it.
  public var kind: String {
    switch self {
    case .none: "none"
    case .bearer: "bearer"
    case .basic: "basic"
    case .apiKey: "api_key"
    case .oauth2: "oauth2"
    case .login: "login"
    }
  }

  /// Where the credential goes; nil when there is none.
  public var place: AuthLocationDeclaration? {
    switch self {
    case .none: nil
    case .bearer, .basic: .header("Authorization")
    case .apiKey(let place, _): place
    case .oauth2(let oauth2): oauth2.use.place
    case .login(let login): login.use.place
    }
  }
}

/// Where a credential goes in a request.
public enum AuthLocationDeclaration: Sendable, Hashable {
  /// A header field of this name.
  case header(String)
  /// A query parameter of this name.
  case query(String)
  /// A member of a JSON object or a pair of a form.
  case body(String)
}
