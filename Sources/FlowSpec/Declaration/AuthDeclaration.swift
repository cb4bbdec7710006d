public import Expressions
public import FlowModel
public import JSONSyntax

/// The authorization of a flow's requests; all templates are unresolved.
public indirect enum AuthDeclaration: Sendable {
  /// Requests send no credentials, even if the file declares credentials.
  case none
  /// A token that is sent as `Authorization: Bearer …`.
  case bearer(Located<Template>)
  /// A user name and a password (RFC 7617).
  case basic(username: Located<Template>, password: Located<Template>)
  /// A key in a header, in the query or in the body.
  case apiKey(location: AuthLocationDeclaration, value: Located<Template>)
  /// A token that an authorization server issues (RFC 6749).
  case oauth2(AuthDeclaration.OAuth2)
  /// A token that requests to the API itself obtain.
  case login(AuthDeclaration.Login)
  /// A token that each run signs itself (RFC 7519).
  case jwt(AuthDeclaration.SignedToken, use: AuthDeclaration.TokenUse)
  /// A signature of each request (AWS Signature Version 4).
  case sigv4(AuthDeclaration.SigV4)
  /// A signature of each request (OAuth 1.0, RFC 5849).
  case oauth1(AuthDeclaration.OAuth1)
  /// A user name and a password of which digests are sent (RFC 7616).
  case digest(username: Located<Template>, password: Located<Template>)
  /// Headers and parameters that are computed over each request.
  case sign(AuthDeclaration.Sign)
  /// One of several kinds, which a value chooses before the first request.
  case choose(AuthDeclaration.Choice)

  /// The key of this kind in flow files.
  public var kind: String {
    switch self {
    case .none: "none"
    case .bearer: "bearer"
    case .basic: "basic"
    case .apiKey: "api_key"
    case .oauth2: "oauth2"
    case .login: "login"
    case .jwt: "jwt"
    case .sigv4: "sigv4"
    case .oauth1: "oauth1"
    case .digest: "digest"
    case .sign: "sign"
    case .choose: "choose"
    }
  }

  /// The locations of the credentials in a request: one of each kind that can be chosen; empty if none is sent.
  public var locations: [AuthLocationDeclaration] {
    switch self {
    case .none: []
    case .bearer, .basic, .oauth1, .digest: [.header("Authorization")]
    case .apiKey(let location, _): [location]
    case .oauth2(let oauth2): [oauth2.use.location]
    case .login(let login): [login.use.location]
    case .jwt(_, let use): [use.location]
    case .sigv4:
      ["Authorization", "X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token"].map { .header($0) }
    case .sign(let sign):
      sign.query.map { .query($0.name.value) } + sign.headers.map { .header($0.name.value) }
    case .choose(let choice): choice.all.flatMap(\.value.locations)
    }
  }
}

/// The location of a credential in a request.
public enum AuthLocationDeclaration: Sendable, Hashable {
  /// A header field of this name.
  case header(String)
  /// A query parameter of this name.
  case query(String)
  /// A member of a JSON object, or a pair of a form.
  case body(String)
}

extension AuthDeclaration {
  /// The declaration of how requests send a token.
  public struct TokenUse: Sendable {
    /// A header or a query parameter.
    public var location: AuthLocationDeclaration
    /// The text to send, which contains `{{ token }}`.
    ///
    /// If it is nil, the token itself is sent, in `Authorization` after the word `Bearer`.
    public var value: Located<Template>?
  }

  /// A token that an authorization server issues (RFC 6749).
  public struct OAuth2: Sendable {
    /// The kinds of credentials that are exchanged for a token.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
      /// The client's own credentials (RFC 6749, section 4.4).
      case clientCredentials = "client_credentials"
      /// A refresh token (RFC 6749, section 6).
      case refreshToken = "refresh_token"
      /// A signed assertion (RFC 7523, section 2.1).
      case jwtBearer = "jwt_bearer"
    }

    /// How the client sends its credentials (RFC 6749, section 2.3.1).
    public enum Sending: String, Sendable, Hashable, CaseIterable {
      /// In the header `Authorization`.
      case basic
      /// As fields of the form in the body.
      case body
    }

    /// The kind of credentials that are exchanged for a token.
    public var grant: Grant
    /// The URL of the token endpoint.
    public var tokenURL: Located<Template>
    /// The client identifier; nil if the grant needs none.
    public var clientID: Located<Template>?
    /// The client secret; nil for a public client.
    public var clientSecret: Located<Template>?
    /// The requested scopes, in order.
    public var scopes: [Located<Template>]
    /// The audience of the token.
    public var audience: Located<Template>?
    /// Additional fields of the token request's form.
    public var params: [NamedTemplate]
    /// The refresh token that the first run uses.
    public var refreshToken: Located<Template>?
    /// The assertion that is exchanged for a token or, for other grants, authenticates the client.
    public var assertion: SignedToken?
    /// How the client sends its credentials.
    public var send: Sending
    /// Whether a new refresh token in a response replaces the old refresh token.
    public var isSingleUse: Bool
    /// How requests send the token.
    public var use: TokenUse
  }
}

extension AuthDeclaration {
  /// Headers and query parameters whose templates use the request to which they are added.
  public struct Sign: Sendable {
    /// Query parameters, each computed over the request with those before it.
    public var query: [NamedTemplate]
    /// Headers, computed over the request with all of its parameters.
    public var headers: [NamedTemplate]
  }
}

extension AuthDeclaration {
  /// A signature of each request with a key of AWS.
  public struct SigV4: Sendable {
    /// The name of the service.
    public var service: Located<Template>
    /// The name of the region.
    public var region: Located<Template>
    /// The name of the key.
    public var accessKey: Located<Template>
    /// The key.
    public var secretKey: Located<Template>
    /// The token of temporary credentials; empty or nil for others.
    public var sessionToken: Located<Template>?

    /// Whether a byte can be in the scope of a signature, whose parts are separated by other characters.
    public static func isScopeByte(_ byte: UInt8) -> Bool {
      ASCII.isNameCharacter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
  }
}

extension AuthDeclaration {
  /// A signed JSON web token (RFC 7519).
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

      /// Whether the key is shared with the server.
      var isShared: Bool { rawValue.hasPrefix("HS") }
    }

    /// How a shared key is written.
    public enum KeyEncoding: String, Sendable, Hashable, CaseIterable {
      case text, hex, base64
    }

    /// The algorithm of the signature.
    public var algorithm: Algorithm
    /// The private key in PEM, or the shared key.
    public var key: Located<Template>
    /// How a shared key is written.
    public var keyEncoding: KeyEncoding
    /// The name of the key: the header's `kid`.
    public var keyID: Located<Template>?
    /// More members of the header.
    public var header: Located<TemplatedJSON>?
    /// The claims beside `iat`, `exp` and `jti`.
    public var claims: Located<TemplatedJSON>?
    /// The time from `iat` to `exp`, in seconds.
    public var lifetime: Double
    /// Whether each token has an identifier of its own, `jti`.
    public var hasIdentifier: Bool
  }
}

extension AuthDeclaration {
  /// Requests to the API itself. The response to the last request contains a token.
  public struct Login: Sendable {
    /// The location of the token in a response.
    public enum TokenLocation: Sendable {
      /// A path in the JSON body.
      case body(Located<JSONPath>)
      /// A header field of this name.
      case header(Located<String>)
    }

    /// The lifetime of a token.
    public enum Expiry: Sendable {
      /// A fixed duration, in seconds.
      case after(Located<Double>)
      /// A path in the response to a number of seconds, or to a time in ISO 8601.
      case path(Located<JSONPath>)
    }

    /// A request whose templates may use values captured from earlier responses.
    public struct Request: Sendable {
      /// The request method in upper case.
      public var method: String
      /// The path, relative to the base URL.
      public var path: Located<Template>
      /// Values for the parameters in braces in the path, by name.
      public var params: [NamedTemplate]
      /// Query parameters in order.
      public var query: [NamedTemplate]
      /// Headers that only this request sends.
      public var headers: [NamedTemplate]
      /// The body, if any.
      public var body: BodyDeclaration?
      /// The names of query parameters whose values are sent as written.
      public var unescaped: Set<String> = []
    }

    /// A request before the last request of the login.
    public struct Step: Sendable {
      /// The request.
      public var request: Request
      /// The paths of values in the response that later requests use, by name.
      public var capture: [(name: Located<String>, from: Located<JSONPath>)]
    }

    /// The base URL for the login; nil means the flow's base URL.
    public var baseURL: Located<Template>?
    /// The requests before the last request, in order.
    public var steps: [Step]
    /// The last request, whose response contains the token.
    public var request: Request
    /// The location of the token in the last response.
    public var token: TokenLocation
    /// The lifetime of the token. If it is nil, the token is used until a response has status 401.
    public var expiry: Expiry?
    /// How requests send the token.
    public var use: TokenUse
  }
}

extension AuthDeclaration {
  /// Several kinds of authorization, of which a value chooses one before the first request.
  public struct Choice: Sendable {
    /// The expression whose value is the name of a case.
    public var by: Located<Expression>
    /// The kinds by name, in the order of the file; at least one.
    public var cases: [(name: Located<String>, auth: Located<AuthDeclaration>)]
    /// The kind for a value that is not the name of a case; if it is nil, such a value is an error.
    public var otherwise: Located<AuthDeclaration>?

    /// All kinds in the order of the file.
    var all: [Located<AuthDeclaration>] { cases.map(\.auth) + (otherwise.map { [$0] } ?? []) }
  }
}

extension AuthDeclaration {
  /// The keys of a signature of OAuth 1.0.
  public struct OAuth1: Sendable {
    /// How the signature is computed (RFC 5849, section 3.4).
    public enum Signature: String, Sendable, Hashable, CaseIterable {
      case hmacSHA1 = "HMAC-SHA1"
      case hmacSHA256 = "HMAC-SHA256"
      case plaintext = "PLAINTEXT"
    }

    /// The name of the client.
    public var consumerKey: Located<Template>
    /// The secret of the client.
    public var consumerSecret: Located<Template>
    /// The token of the account; nil for requests of the client itself.
    public var token: Located<Template>?
    /// The secret of the token.
    public var tokenSecret: Located<Template>?
    /// How the signature is computed.
    public var signature: Signature
    /// The realm in the header, if any.
    public var realm: Located<Template>?
  }
}
