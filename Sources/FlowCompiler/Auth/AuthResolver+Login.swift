internal import Authorization
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

extension AuthResolver {
  /// Resolves a login, in which requests to the API itself return a token.
  mutating func login(_ login: AuthDeclaration.Login, of declaration: FlowDeclaration) -> AuthPlan? {
    let base = login.baseURL ?? declaration.pull.request.baseURL
    var parts: [String?] = ["login"]
    var steps: [LoginPlan.Step] = []
    let requests = login.steps.map { ($0.request, $0.capture) } + [(login.request, [])]
    for (request, capture) in requests {
      // Placeholders replace values that only a response contains. So this reports every value that cannot be resolved.
      guard let resolved = resolved(request, at: base, of: declaration.id) else { return nil }
      parts.append(resolved.resource.fingerprint(scope: resolved.baseText))
      steps.append((resolved, capture.map { ($0.name.value, $0.from.value) }))
    }
    let token: LoginSequence.TokenLocation =
      switch login.token {
      case .body(let path): .body(path.value)
      case .header(let name): .header(name.value)
      }
    let expiry: LoginSequence.Expiry? =
      switch login.expiry {
      case nil: nil
      case .after(let seconds)?: .after(.milliseconds(Int64(min(seconds.value, 315_360_000) * 1000)))
      case .path(let path)?: .path(path.value)
      }
    let plan = LoginPlan(steps, token: token, expiry: expiry, use: use(login.use))
    var auth = AuthPlan.none
    auth.source = .login(plan)
    auth.identity = CredentialIdentity(parts)
    auth.location = plan.use.location
    auth.kind = "login"
    auth.shown = (
      "login by " + steps.map { $0.request.shownWithoutQuery }.joined(separator: ", then "),
      ", in \(plan.use.location.words)\n\(Self.rhythm)"
    )
    return auth
  }

  private mutating func resolved(
    _ request: AuthDeclaration.Login.Request, at base: Located<Template>, of flow: String
  ) -> RequestPlan? {
    var resolver = RequestResolver(scope: scope)
    var declared = RequestDeclaration(
      method: request.method, baseURL: base, path: request.path, query: request.query, headers: request.headers,
      body: request.body, params: request.params)
    declared.unescaped = request.unescaped
    let plan = resolver.request(declared, of: flow)
    diagnostics.merge(resolver.diagnostics)
    return plan
  }
}
