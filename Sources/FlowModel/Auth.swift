public import Expressions

/// The authorization of a flow's requests.
///
/// - `Text`: the type of a text such as a password: a template in a flow file, a string after the values are filled in
/// - `Token`: the type that describes how a token is signed
/// - `Request`: the type of a request of a login
public indirect enum Auth<Text: Sendable, Token: Sendable, Request: Sendable>: Sendable {
  /// Requests send no credentials, even if the file declares credentials.
  case none
  /// A token that is sent as `Authorization: Bearer …`.
  case bearer(Text)
  /// A user name and a password (RFC 7617).
  case basic(UserPassword<Text>)
  /// A user name and a password that are sent only as digests (RFC 7616).
  case digest(UserPassword<Text>)
  /// An API key that is sent in a header, in the query or in the body.
  case apiKey(CredentialLocation, Text)
  /// A token that an authorization server issues (RFC 6749).
  case oauth2(OAuth2<Text, Token>)
  /// A token that is obtained with requests to the API itself.
  case login(Login<Request>)
  /// A token that each run signs itself (RFC 7519).
  case jwt(Token, use: TokenUse)
  /// A signature of each request (AWS Signature Version 4).
  case sigv4(SigV4<Text>)
  /// A signature of each request (OAuth 1.0, RFC 5849).
  case oauth1(OAuth1<Text>)
  /// Headers and query parameters that are computed from each request, such as signatures.
  case sign(ComputedFields)
  /// One of several kinds, which a value chooses before the first request. The compiler replaces it with the chosen
  /// kind.
  case choose(Choice)

  /// Several kinds of authorization; a value chooses one of them before the first request.
  public struct Choice: Sendable {
    /// The expression whose value is the name of a case.
    public var by: Located<Expression>
    /// The kinds by name, in the order of the file; at least one.
    public var cases: [Named<Located<Auth>>]
    /// The kind for a value that is not the name of a case; if it is nil, such a value is an error.
    public var otherwise: Located<Auth>?

    /// Creates a choice.
    public init(by: Located<Expression>, cases: [Named<Located<Auth>>], otherwise: Located<Auth>?) {
      self.by = by
      self.cases = cases
      self.otherwise = otherwise
    }
  }

  /// The locations of the credentials in a request, for `choose` those of all cases; empty if no credentials are sent.
  public var locations: [CredentialLocation] {
    switch self {
    case .none: []
    case .bearer, .basic, .oauth1, .digest: [.authorization]
    case .apiKey(let location, _): [location]
    case .oauth2(let oauth2): [oauth2.use.location]
    case .login(let login): [login.use.location]
    case .jwt(_, let use): [use.location]
    case .sigv4:
      [.authorization] + ["X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token"].map { .header($0) }
    case .sign(let fields):
      fields.query.map { .query($0.name.value) } + fields.headers.map { .header($0.name.value) }
    case .choose(let choice):
      (choice.cases.map(\.value) + [choice.otherwise].compactMap { $0 }).flatMap(\.value.locations)
    }
  }
}

/// The location of a credential in a request.
public enum CredentialLocation: Sendable, Hashable {
  /// A header field of this name.
  case header(String)
  /// A query parameter of this name.
  case query(String)
  /// The body: a member of this name in a JSON object, or a field of this name in a form.
  case body(String)

  /// The usual header for credentials (RFC 9110, section 11.6.2).
  public static let authorization = header("Authorization")

  /// The location as text: `the header Authorization`.
  package var words: String {
    switch self {
    case .header(let name): "the header \(name)"
    case .query(let name): "the query parameter \(name)"
    case .body(let name): "the body's '\(name)'"
    }
  }
}

/// A user name and a password.
public struct UserPassword<Text: Sendable>: Sendable {
  /// The name of the user. It must not contain a colon.
  public var username: Text
  /// The password; may be empty.
  public var password: Text
}

extension UserPassword {
  /// Creates a user name and a password with the same temporary text; their values are set afterwards.
  public init(_ text: Text) { self.init(username: text, password: text) }

  /// A copy in which each text is converted, for example from a template to its value.
  public func map<Other: Sendable>(_ text: (Text) -> Other) -> UserPassword<Other> {
    .init(username: text(username), password: text(password))
  }
}

/// Headers and query parameters that are computed from the request to which they are added.
public struct ComputedFields: Sendable {
  /// Query parameters. Each is computed over the request that already has the parameters before it.
  public var query: [NamedTemplate] = []
  /// Headers, computed over the request with all of its parameters.
  public var headers: [NamedTemplate] = []

  /// Creates a value without headers and parameters.
  public init() {}
}
