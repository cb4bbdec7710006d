internal import Expressions
internal import FlowModel
internal import FlowSpec
internal import JSONSyntax

extension IdentityText {
  /// Adds the declared credentials.
  ///
  /// Secrets and environment variables are included by name only. Their values can change while the account stays the
  /// same, for example when a token is renewed.
  mutating func add(_ auth: AuthDeclaration) {
    let before = countsEnvironment
    countsEnvironment = false
    defer { countsEnvironment = before }
    switch auth {
    case .none: break
    case .bearer(let token): add("auth bearer", token.value)
    case .basic(let username, let password):
      add("auth basic", username.value)
      add("auth password", password.value)
    case .apiKey(let location, let value):
      add("auth api_key \(Self.text(location))")
      add("auth value", value.value)
    case .oauth2(let oauth2): add(oauth2)
    case .login(let login): add(login)
    case .jwt(let token, let use):
      add(token, as: "auth jwt")
      add(use)
    case .sigv4(let sigv4):
      add("auth sigv4 service", sigv4.service.value)
      add("auth sigv4 region", sigv4.region.value)
      add("auth sigv4 access_key", sigv4.accessKey.value)
      add("auth sigv4 secret_key", sigv4.secretKey.value)
      if let token = sigv4.sessionToken { add("auth sigv4 session_token", token.value) }
    case .oauth1(let oauth1):
      add("auth oauth1 consumer_key", oauth1.consumerKey.value)
      add("auth oauth1 consumer_secret", oauth1.consumerSecret.value)
      if let token = oauth1.token { add("auth oauth1 token", token.value) }
      if let secret = oauth1.tokenSecret { add("auth oauth1 token_secret", secret.value) }
      if let realm = oauth1.realm { add("auth oauth1 realm", realm.value) }
    case .digest(let username, let password):
      add("auth digest", username.value)
      add("auth password", password.value)
    case .sign(let sign):
      add("auth sign query", sign.query)
      add("auth sign headers", sign.headers)
    // The identity is that of the chosen kind, which the compiler puts in place of the choice.
    case .choose: break
    }
  }

  private mutating func add(_ oauth2: AuthDeclaration.OAuth2) {
    add("auth oauth2 \(oauth2.grant.rawValue)")
    add("auth token_url", oauth2.tokenURL.value)
    if let id = oauth2.clientID { add("auth client_id", id.value) }
    if let assertion = oauth2.assertion { add(assertion, as: "auth assertion") }
    if let secret = oauth2.clientSecret { add("auth client_secret", secret.value) }
    if let token = oauth2.refreshToken { add("auth refresh_token", token.value) }
    for scope in oauth2.scopes { add("auth scope", scope.value) }
    if let audience = oauth2.audience { add("auth audience", audience.value) }
    add("auth params", oauth2.params)
    add(oauth2.use)
  }

  private mutating func add(_ token: AuthDeclaration.SignedToken, as name: String) {
    add("\(name) key", token.key.value)
    if let claims = token.claims { add("\(name) claims", claims.value) }
  }

  private mutating func add(_ login: AuthDeclaration.Login) {
    add("auth login")
    if let base = login.baseURL { add("auth base_url", base.value) }
    for step in login.steps {
      add(step.request)
      for (name, from) in step.capture { add("auth capture \(name.value) \(from.value.text)") }
    }
    add(login.request)
    switch login.token {
    case .body(let path): add("auth token \(path.value.text)")
    case .header(let name): add("auth token_header \(name.value.lowercased())")
    }
    add(login.use)
  }

  private mutating func add(_ request: AuthDeclaration.Login.Request) {
    add("auth \(request.method)", request.path.value)
    add("auth params", request.params)
    add("auth query", request.query)
    if !request.unescaped.isEmpty { add("auth unescaped \(request.unescaped.sorted().joined(separator: "&"))") }
    add("auth headers", request.headers)
    if let body = request.body { add("auth body", body) }
  }

  private mutating func add(_ use: AuthDeclaration.TokenUse) {
    add("auth at \(Self.text(use.location))")
    if let value = use.value { add("auth value", value.value) }
  }

  private mutating func add(_ key: String, _ named: [NamedTemplate]) {
    for one in named { add("\(key) \(one.name.value)", one.value.value) }
  }

  private mutating func add(_ key: String, _ body: BodyDeclaration) {
    switch body {
    case .json(let document), .graphql(let document): add(key, document.value)
    case .form(let pairs): add(key, pairs)
    case .text(let template): add(key, template.value)
    case .records(let records): add("\(key) \(records.identity)")
    }
  }

  private static func text(_ location: AuthLocationDeclaration) -> String {
    switch location {
    case .header(let name): "header \(name.lowercased())"
    case .query(let name): "query \(name)"
    case .body(let name): "body \(name)"
    }
  }
}
