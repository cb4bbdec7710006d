public import JSONSyntax

/// How a flow's requests are authorized; every template is still unresolved.
public enum AuthDeclaration: Sendable {
  /// Not at all, even if the file declares credentials.
  case none
  /// `Authorization: Bearer …`
  case bearer(Located<Template>)
  /// User name and password, RFC 7617.
  case basic(username: Located<Template>, password: Located<Template>)
  /// A key in a header, in the query or in the body.
  case apiKey(location: AuthLocationDeclaration, value: Located<Template>)
  /// A token of an authorization server, RFC 6749.
  case oauth2(AuthDeclaration.OAuth2)
  /// A token from requests to the API itself.
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

  /// The location of the credential; nil without one.
  public var location: AuthLocationDeclaration? {
    switch self {
    case .none: nil
    case .bearer, .basic: .header("Authorization")
    case .apiKey(let location, _): location
    case .oauth2(let oauth2): oauth2.use.location
    case .login(let login): login.use.location
    }
  }
}

/// The location of a credential in a request.
public enum AuthLocationDeclaration: Sendable, Hashable {
  /// A header field of this name.
  case header(String)
  /// A query parameter of this name.
  case query(String)
  /// A member of a JSON object or a pair of a form.
  case body(String)
}

extension AuthDeclaration {
  /// How a token is sent.
  public struct TokenUse: Sendable {
    /// A header or a query parameter.
    public var location: AuthLocationDeclaration
    /// The text with `{{ token }}`; nil is the token itself, in `Authorization` after `Bearer`.
    public var value: Located<Template>?
  }

  /// A token of an authorization server (RFC 6749).
  public struct OAuth2: Sendable {
    /// The credentials for a token.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
      /// The client's own credentials, section 4.4.
      case clientCredentials = "client_credentials"
      /// A refresh token, section 6.
      case refreshToken = "refresh_token"
    }

    /// How the client sends its credentials, section 2.3.1.
    public enum Sending: String, Sendable, Hashable, CaseIterable {
      /// In the header `Authorization`.
      case basic
      /// As fields of the form.
      case body
    }

    /// The credentials for a token.
    public var grant: Grant
    /// The token endpoint.
    public var tokenURL: Located<Template>
    /// The client's name.
    public var clientID: Located<Template>
    /// The client's password; public clients have none.
    public var clientSecret: Located<Template>?
    /// The requested scopes, in order.
    public var scopes: [Located<Template>]
    /// The audience of the token.
    public var audience: Located<Template>?
    /// More fields of the form.
    public var params: [NamedTemplate]
    /// The refresh token of the first run.
    public var refreshToken: Located<Template>?
    /// How the client sends its credentials.
    public var send: Sending
    /// Whether a new refresh token of a response replaces the old one.
    public var isSingleUse: Bool
    /// How the token is used.
    public var use: TokenUse
  }
}

extension AuthDeclaration {
  /// Requests to the API itself; the last one gives a token.
  public struct Login: Sendable {
    /// Where a token is in a response.
    public enum TokenLocation: Sendable {
      /// In its JSON.
      case body(Located<JSONPath>)
      /// In a header field.
      case header(Located<String>)
    }

    /// The lifetime of a token.
    public enum Expiry: Sendable {
      /// A fixed time, in seconds.
      case after(Located<Double>)
      /// In the response: a number of seconds, or a time in ISO 8601.
      case path(Located<JSONPath>)
    }

    /// A request whose templates may use values of earlier responses.
    public struct Request: Sendable {
      /// The request method in upper case.
      public var method: String
      /// The path, relative to the base URL.
      public var path: Located<Template>
      /// Values for the braces in the path, by name.
      public var params: [NamedTemplate]
      /// Query parameters in order.
      public var query: [NamedTemplate]
      /// Headers of this request alone.
      public var headers: [NamedTemplate]
      /// The body, if any.
      public var body: BodyDeclaration?
    }

    /// A request before the last one.
    public struct Step: Sendable {
      /// The request.
      public var request: Request
      /// Values of the response for later requests, by name.
      public var capture: [(name: Located<String>, from: Located<JSONPath>)]
    }

    /// The server of the login; nil for the flow's.
    public var baseURL: Located<Template>?
    /// The requests before the last one, in order.
    public var steps: [Step]
    /// The request that gives the token.
    public var request: Request
    /// Where the token is.
    public var token: TokenLocation
    /// Its lifetime; nil: until a response has status 401.
    public var expiry: Expiry?
    /// How it is used.
    public var use: TokenUse
  }
}
