internal import Expressions
internal import FlowModel
internal import FlowSpec
internal import JSONSyntax

extension IdentityText {
  /// Adds the declared credentials to the identity.
  ///
  /// Secrets and environment variables are included by name only. Their values can change while the account stays the
  /// same, for example when a token is renewed.
  mutating func add(_ auth: WrittenAuth) {
    let before = countsEnvironment
    countsEnvironment = false
    defer { countsEnvironment = before }
    switch auth {
    // The identity is that of the chosen kind, which the compiler puts in place of the choice.
    case .none, .choose: break
    case .bearer(let token): add("auth", [("bearer", token)])
    case .basic(let account): add("auth", [("basic", account.username), ("password", account.password)])
    case .digest(let account): add("auth", [("digest", account.username), ("password", account.password)])
    case .apiKey(let location, let value):
      add("auth api_key \(Self.text(location))")
      add("auth", [("value", value)])
    case .oauth2(let oauth2): add(oauth2)
    case .login(let login): add(login)
    case .jwt(let token, let use):
      add(token, as: "auth jwt")
      add(use)
    case .sigv4(let sigv4): add("auth sigv4", sigv4.texts)
    case .oauth1(let oauth1): add("auth oauth1", oauth1.texts)
    case .sign(let fields):
      add("auth sign query", fields.query)
      add("auth sign headers", fields.headers)
    }
  }

  private mutating func add(_ oauth2: OAuth2<Located<Template>, SignedToken>) {
    add("auth oauth2 \(oauth2.grant.rawValue)")
    add("auth", [("token_url", oauth2.tokenURL), ("client_id", oauth2.clientID)])
    if let assertion = oauth2.assertion { add(assertion, as: "auth assertion") }
    add("auth", [("client_secret", oauth2.clientSecret), ("refresh_token", oauth2.refreshToken)])
    // `audience` was a key of its own: its place keeps the results of those flows in use.
    let audience = oauth2.params.first { $0.name.value == "audience" }?.value
    add("auth", oauth2.scopes.map { ("scope", $0) } + [("audience", audience)])
    add("auth params", oauth2.params.filter { $0.name.value != "audience" })
    add(oauth2.use)
  }

  private mutating func add(_ token: SignedToken, as name: String) {
    add(name, [("key", token.key)])
    if let claims = token.claims { add("\(name) claims", claims.value) }
  }

  private mutating func add(_ login: Login<RequestDeclaration>) {
    add("auth login")
    add("auth", [("base_url", login.baseURL)])
    for step in login.steps {
      add(step.request)
      for capture in step.capture { add("auth capture \(capture.name.value) \(capture.value.value.text)") }
    }
    switch login.token {
    case .body(let path): add("auth token \(path.value.text)")
    case .header(let name): add("auth token_header \(name.value.lowercased())")
    }
    add(login.use)
  }

  private mutating func add(_ request: RequestDeclaration) {
    add("auth \(request.method)", request.path.value)
    add("auth params", request.params)
    add("auth query", request.query)
    if !request.unescaped.isEmpty { add("auth unescaped \(request.unescaped.sorted().joined(separator: "&"))") }
    add("auth headers", request.headers)
    if let body = request.body { add("auth body", body) }
  }

  private mutating func add(_ use: TokenUse) {
    add("auth at \(Self.text(use.location))")
    add("auth", [("value", use.value)])
  }

  /// Adds each text that is not nil, with its key.
  private mutating func add(_ kind: String, _ texts: [(key: String, text: Located<Template>?)]) {
    for (key, text) in texts { if let text { add("\(kind) \(key)", text.value) } }
  }

  private static func text(_ location: CredentialLocation) -> String {
    switch location {
    case .header(let name): "header \(name.lowercased())"
    case .query(let name): "query \(name)"
    case .body(let name): "body \(name)"
    }
  }
}
