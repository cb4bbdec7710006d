public import JSONSyntax

/// How requests send a token.
public struct TokenUse: Sendable {
  /// Where the token is sent: in a header or a query parameter.
  public var location = CredentialLocation.authorization
  /// The text to send, which contains `{{ token }}`.
  ///
  /// If it is nil, only the token is sent; in the header `Authorization` the word `Bearer` precedes it.
  public var value: Located<Template>?

  /// Creates the default: the token is sent in the header `Authorization`, after the word `Bearer`.
  public init() {}
}

/// The kinds of credentials that are exchanged for a token.
public enum OAuth2Grant: String, Sendable, Hashable, CaseIterable {
  /// The client's own credentials (RFC 6749, section 4.4).
  case clientCredentials = "client_credentials"
  /// A refresh token (RFC 6749, section 6).
  case refreshToken = "refresh_token"
  /// A signed assertion (RFC 7523, section 2.1).
  case jwtBearer = "jwt_bearer"
}

/// How a client sends its credentials (RFC 6749, section 2.3.1).
public enum OAuth2Sending: String, Sendable, Hashable, CaseIterable {
  /// The client's ID and secret are sent in the header `Authorization`.
  case basic
  /// The client's ID and secret are sent as fields of the form in the body.
  case body
}

/// A token that an authorization server issues (RFC 6749).
public struct OAuth2<Text: Sendable, Token: Sendable>: Sendable {
  /// The kind of credentials that are exchanged for a token.
  public var grant = OAuth2Grant.clientCredentials
  /// The URL of the token endpoint.
  public var tokenURL: Text
  /// The client identifier; nil if the grant needs none.
  public var clientID: Text?
  /// The client secret; nil for a public client.
  public var clientSecret: Text?
  /// The requested scopes, in order.
  public var scopes: [Text] = []
  /// Additional fields of the token request's form.
  public var params: [Named<Text>] = []
  /// The refresh token that the first run uses.
  public var refreshToken: Text?
  /// The signed assertion. The grant `jwtBearer` exchanges it for a token; with another grant it authenticates the
  /// client.
  public var assertion: Token?
  /// How the client sends its credentials.
  public var send = OAuth2Sending.basic
  /// Whether a new refresh token in a response replaces the old refresh token.
  public var isSingleUse = true
  /// How requests send the token.
  public var use = TokenUse()
}

extension OAuth2 {
  /// Creates a client without credentials.
  public init(_ tokenURL: Text) { self.init(tokenURL: tokenURL) }

  /// A copy in which each text is converted, for example from a template to its value. The assertion is left out.
  public func map<Other: Sendable, OtherToken: Sendable>(_ text: (Text) -> Other) -> OAuth2<Other, OtherToken> {
    .init(
      grant: grant, tokenURL: text(tokenURL), clientID: clientID.map(text), clientSecret: clientSecret.map(text),
      scopes: scopes.map(text), params: params.map { Named($0.name, text($0.value)) },
      refreshToken: refreshToken.map(text), send: send, isSingleUse: isSingleUse, use: use)
  }
}

/// How a JSON web token is signed (RFC 7519).
public struct SignedToken: Sendable {
  /// The algorithms of signatures (RFC 7518, section 3.1).
  public enum Algorithm: String, Sendable, Hashable, CaseIterable {
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
  }

  /// How the text of a shared key is encoded.
  public enum KeyEncoding: String, Sendable, Hashable, CaseIterable {
    case text, hex, base64
  }

  /// The algorithm of the signature.
  public var algorithm = Algorithm.hs256
  /// The private key in PEM, or the shared key.
  public var key: Located<Template>
  /// How the text of a shared key is encoded.
  public var keyEncoding = KeyEncoding.text
  /// The name of the key: the header's `kid`.
  public var keyID: Located<Template>?
  /// Members of the token's header in addition to `alg`, `typ` and `kid`.
  public var header: Located<TemplatedJSON>?
  /// The claims in addition to `iat`, `exp` and `jti`.
  public var claims: Located<TemplatedJSON>?
  /// The time from `iat` to `exp`, in seconds.
  public var lifetime = 300.0
  /// Whether each token has its own identifier, `jti`.
  public var hasIdentifier = false

  /// Creates a token with the default algorithm and without additional claims.
  public init(key: Located<Template>) { self.key = key }
}

/// The location of the token in the last response of a login.
public enum LoginToken: Sendable {
  /// The token is at this path in the JSON body of the response.
  case body(Located<JSONPath>)
  /// The token is in the header field of this name.
  case header(Located<String>)
}

/// The lifetime of the token of a login.
public enum LoginExpiry: Sendable {
  /// The token is valid for a fixed duration, in seconds.
  case after(Located<Double>)
  /// A path in the response to a number of seconds, or to a time in ISO 8601.
  case path(Located<JSONPath>)
}

/// Requests to the API itself. The response to the last request contains a token.
public struct Login<Request: Sendable>: Sendable {
  /// One request of the login. Its templates can use values captured from earlier responses.
  public struct Step: Sendable {
    /// The request of this step of the login.
    public var request: Request
    /// The values of the response that later requests use: for each name of a value, its path in the response. Empty
    /// for the last request.
    public var capture: [Named<Located<JSONPath>>] = []
  }

  /// The base URL for the login; nil means the flow's base URL.
  public var baseURL: Located<Template>?
  /// The requests in order; the response to the last one contains the token.
  public var steps: [Step]
  /// The location of the token in the last response.
  public var token: LoginToken
  /// The lifetime of the token. If it is nil, the token is used until a response has status 401.
  public var expiry: LoginExpiry?
  /// How requests send the token.
  public var use: TokenUse
}

extension Login.Step {
  /// Creates a step that captures nothing.
  public init(_ request: Request) { self.init(request: request) }
}

extension Login {
  /// Creates a login whose token has no known lifetime.
  public init(_ steps: [Step], token: LoginToken, use: TokenUse) { self.init(steps: steps, token: token, use: use) }

  /// The login with each request converted by a closure; nil if the closure returns nil for one of them.
  public func mapRequests<Other: Sendable>(_ transform: (Request) -> Other?) -> Login<Other>? {
    var others: [Login<Other>.Step] = []
    for step in steps {
      guard let request = transform(step.request) else { return nil }
      others.append(.init(request: request, capture: step.capture))
    }
    return .init(baseURL: baseURL, steps: others, token: token, expiry: expiry, use: use)
  }
}
