internal import Authorization
internal import Expressions
internal import FlowSpec
internal import HTTPTransport
internal import ReactorCore
internal import SourceDiagnostics

extension AuthResolver {
  /// A token that requests of the API give.
  mutating func login(_ login: AuthDeclaration.Login, of declaration: FlowDeclaration) -> ResolvedAuth? {
    let base = login.baseURL ?? declaration.request.baseURL
    var parts: [String?] = ["login"]
    var steps: [LoginSequence.Step] = []
    var secretHeaders: [String] = []
    var baseText = ""
    let requests = login.steps.map { ($0.request, $0.capture) } + [(login.request, [])]
    for (request, capture) in requests {
      let flow = Self.flow(declaration, asking: request, at: base)
      // With names in place of what only an answer can tell: shows now what cannot be resolved.
      guard let resolved = resolved(flow) else { return nil }
      secretHeaders += resolved.secretHeaderNames
      baseText = resolved.baseText
      parts.append(resolved.resource.fingerprint(scope: resolved.baseText))
      let method = resolved.resource.method.rawValue
      steps.append(
        LoginSequence.Step(
          shown: "\(method) \(resolved.shownURL.prefix { $0 != "?" })",
          captures: capture.map { ($0.name.value, $0.from.value) }, resource: Self.resource(of: resolved)))
    }
    let token: LoginSequence.TokenPlace =
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
    let identity = CredentialIdentity(parts)
    let place = Credential.Place(login.use.place)
    let sequence = LoginSequence(steps, token: token, expiry: expiry)
    var options = tokenOptions
    options.secretHeaderNames += secretHeaders
    let session = session(identity, login.use) { [environment, baseText, options, flow] in
      TokenSession(
        sequence, wording: wording(login.use), secrets: environment.secrets, stopwatch: environment.stopwatch,
        wallClock: environment.wallClock
      ) { () throws(ReactorError) -> any Connection in
        try environment.connection(of: flow, name: "auth", baseURL: baseText, options)
      }
    }
    return ResolvedAuth(
      authorization: .token(session), identity: identity, place: place, kind: "login",
      shown: "login by \(steps.map(\.shown).joined(separator: ", then ")), in \(place.words)\n\(Self.rhythm)")
  }

  /// A flow that asks for nothing but this: all that requests of flows can say holds for it.
  private static func flow(
    _ declaration: FlowDeclaration, asking request: AuthDeclaration.Login.Request, at base: Located<Template>
  ) -> FlowDeclaration {
    var flow = declaration
    flow.request = RequestDeclaration(
      method: request.method, baseURL: base, path: request.path, query: request.query, headers: request.headers,
      body: request.body, params: request.params)
    flow.each = nil
    flow.pages = nil
    return flow
  }

  private mutating func resolved(_ flow: FlowDeclaration) -> ResolvedRequest? {
    var resolver = RequestResolver(scope: scope)
    let request = resolver.request(flow)
    diagnostics.merge(resolver.diagnostics)
    return request
  }

  /// Makes the request of what earlier answers gave.
  private static func resource(
    of request: ResolvedRequest
  ) -> @Sendable ([String: String]) throws(ReactorError) -> Resource {
    { (captures) throws(ReactorError) -> Resource in
      guard let recipe = request.recipe else { return request.resource }
      return try recipe.resource(with: captures.mapValues { .string($0) })
    }
  }
}
