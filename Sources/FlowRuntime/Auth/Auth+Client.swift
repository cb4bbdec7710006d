internal import Authorization
internal import Expressions
internal import FlowModel
internal import ReactorCore
internal import Storage

extension ResolvedAuth {
  /// The credential of a kind of authorization that sends the same credential with each request; nil for other kinds.
  var credential: Credential? {
    switch self {
    case .bearer(let token): .bearer(token.value)
    case .basic(let account): .basic(username: account.username.value, password: account.password.value)
    case .apiKey(let location, let key): Credential(Credential.Location(location), key.value)
    default: nil
    }
  }
}

extension Credential.Location {
  init(_ location: CredentialLocation) {
    switch location {
    case .header(let name): self = .header(name)
    case .query(let name): self = .query(name)
    case .body(let name): self = .body(name)
    }
  }
}

extension TokenUse {
  /// Where requests contain the token, and the text that they contain there, for example `Bearer` and the token.
  func wording(in scope: EvaluationScope) -> TokenWording {
    let location = Credential.Location(location)
    guard let value else { return TokenWording(location) }
    let template = ExpressionTemplate(value.value)
    return TokenWording(location) { (captures) throws(ReactorError) -> String in
      do throws(ReactorError) {
        return try template.text(in: scope.with(captures.mapValues { .string($0) }))
      } catch {
        throw .server("no token: \(error.message)")
      }
    }
  }
}

extension SigV4<FilledText> {
  var client: RequestSignature {
    RequestSignature(
      service: service.value, region: region.value, accessKey: accessKey.value, secretKey: secretKey.value,
      sessionToken: sessionToken?.value)
  }
}

extension OAuth1<FilledText> {
  var client: OAuth1Signature {
    var client = OAuth1Signature(
      OAuth1Signature.Method(rawValue: signature.rawValue) ?? .hmacSHA1,
      client: .init(consumerKey.value, secret: consumerSecret.value),
      token: token.map { .init($0.value, secret: tokenSecret?.value ?? "") })
    client.realm = realm?.value
    return client
  }
}

extension OAuth2<FilledText, FilledToken> {
  /// Creates the OAuth 2 client. If the client uses single-use refresh tokens, the newest one is a document of
  /// the state.
  func client(persistingIn state: any StateStore) -> OAuth2Client {
    let kind: OAuth2Client.Grant
    if let refreshToken {
      kind = .refreshToken(refreshToken.value, persisted: refreshTokenDocument(in: state))
    } else if let assertion, grant == .jwtBearer {
      kind = .assertion(assertion.token)
    } else {
      kind = .clientCredentials
    }
    var client = OAuth2Client(kind, id: clientID?.value ?? "", secret: clientSecret?.value)
    if grant != .jwtBearer { client.assertion = assertion?.token }
    client.sendsHeader = send == .basic
    client.scopes = scopes.map(\.value)
    client.parameters = fields
    return client
  }

  /// The document with the newest refresh token; nil without single-use tokens.
  func refreshTokenDocument(in state: any StateStore) -> RefreshTokenDocument? {
    refreshTokenName.map { RefreshTokenDocument(in: state, name: $0) }
  }

  /// The name of that document; nil without single-use tokens.
  var refreshTokenName: String? {
    guard let refreshToken, isSingleUse, let host = (try? BaseURL(parsing: tokenURL.value))?.host else { return nil }
    return RefreshTokenDocument.name(host: host, client: clientID?.value ?? "", configured: refreshToken.value)
  }

  /// Additional form fields of the token request.
  var fields: [(name: String, value: String)] {
    params.map { ($0.name.value, $0.value.value) }
  }

  /// The URL of the token endpoint with secrets masked.
  var shownURL: String { tokenURL.template.usesSecret ? tokenURL.words : plainURL }

  /// Masks the URL in errors; nil when the URL contains no secret.
  var mask: URLMask? { tokenURL.template.usesSecret ? URLMask(hiding: plainURL, behind: shownURL) : nil }

  private var plainURL: String {
    (try? BaseURL(parsing: tokenURL.value)).map { $0.origin + $0.path } ?? tokenURL.value
  }
}

extension Login<RequestPlan> {
  /// The login requests. Each one can use values from the earlier responses.
  func sequence(in scope: EvaluationScope) -> LoginSequence {
    let location: LoginSequence.TokenLocation =
      switch token {
      case .body(let path): .body(path.value)
      case .header(let name): .header(name.value)
      }
    let end: LoginSequence.Expiry? =
      switch expiry {
      case nil: nil
      case .after(let seconds)?: .after(.milliseconds(Int64(min(seconds.value, 315_360_000) * 1000)))
      case .path(let path)?: .path(path.value)
      }
    let steps = steps.map { step in
      let request = step.request
      return LoginSequence.Step(
        shown: request.shownWithoutQuery, captures: step.capture.map { ($0.name.value, $0.value.value) }
      ) { (captures) throws(ReactorError) -> Resource in
        guard let program = request.program else { return request.resource }
        return try program.resource(of: request, in: scope.with(captures.mapValues { .string($0) }), for: nil)
      }
    }
    return LoginSequence(steps, token: location, expiry: end)
  }
}
