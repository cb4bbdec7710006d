import Expressions
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Parameters of a token request that have their own keys in `oauth2`.
  private static let ownParameters = [
    "grant_type", "client_id", "client_secret", "scope", "audience", "refresh_token", "assertion",
    "client_assertion", "client_assertion_type",
  ]

  mutating func oauth2(_ value: FieldValue) -> AuthDeclaration? {
    let errors = errorCount
    guard let nodes = open(value, as: .oauth2) else { return nil }
    let grant = reading(OAuth2Keys.grant, of: nodes)
    let url = read(OAuth2Keys.tokenURL, of: nodes)
    let id = read(OAuth2Keys.clientID, of: nodes)
    let secret = read(OAuth2Keys.clientSecret, of: nodes)
    let refresh = read(OAuth2Keys.refreshToken, of: nodes)
    let assertion = read(OAuth2Keys.assertion, of: nodes)
    let isSingleUse = read(OAuth2Keys.singleUse, of: nodes)
    let scopes = read(OAuth2Keys.scopes, of: nodes)
    let audience = read(OAuth2Keys.audience, of: nodes)
    let params = parameters(read(OAuth2Keys.params, of: nodes) ?? [])
    let send = read(OAuth2Keys.send, of: nodes)
    let use = tokenUse(nodes, knowing: [], owner: value.key)
    if !grant.isBroken, grant.value != .jwtBearer { checkClient(nodes, owner: value.key) }
    guard let url, let use, errors == errorCount, !nodes.hasError else { return nil }
    return .oauth2(
      AuthDeclaration.OAuth2(
        grant: grant.value ?? .clientCredentials, tokenURL: url, clientID: id, clientSecret: secret,
        scopes: scopes ?? [], audience: audience, params: params, refreshToken: refresh, assertion: assertion,
        send: send ?? .basic,
        isSingleUse: isSingleUse ?? true, use: use))
  }

  /// Checks how a client says who it is, unless its assertion does.
  private mutating func checkClient(_ nodes: FieldNodes, owner: SourceRange) {
    if nodes.isLeftOut(OAuth2Keys.clientID) {
      report(
        .missingKey, "'client_id' is missing in \(nodes.construct.noun)", at: owner,
        help: "add it, for example 'client_id: reactor'")
    }
    if nodes.key(OAuth2Keys.clientSecret) != nil, let key = nodes.key(OAuth2Keys.assertion) {
      report(
        .authConflict, "'assertion' authenticates the client in place of 'client_secret'", at: key,
        help: "keep one of the two, or add 'grant: jwt_bearer'")
    }
  }

  /// Reads one scope of a token request.
  mutating func tokenScope(_ value: FieldValue) -> Located<Template>? {
    guard let scope = filled(value) else { return nil }
    for case .text(let text) in scope.value.segments where text.contains(" ") {
      return fail(
        .authValue, "a scope cannot contain a space", at: value.node.range,
        help: "write each scope as an element of its own")
    }
    return scope
  }

  private mutating func parameters(_ params: [NamedTemplate]) -> [NamedTemplate] {
    params.filter { param in
      guard Self.ownParameters.contains(param.name.value) else { return true }
      report(
        .authConflict, "'\(param.name.value)' is set by \(OAuth2Keys.construct.noun) itself", at: param.name.range,
        help: param.name.value == "grant_type" ? "see 'grant'" : "use the key made for it")
      return false
    }
  }

  /// Reads how requests send the token.
  mutating func tokenUse(
    _ nodes: FieldNodes, knowing captures: [String], owner: SourceRange
  ) -> AuthDeclaration.TokenUse? {
    let locations = [TokenKeys.header, TokenKeys.query]
    var location = AuthLocationDeclaration.header("Authorization")
    if locations.contains(where: { nodes.key($0) != nil }) {
      guard
        let given = single(
          of: locations, in: nodes, "location for the token", owner: owner, help: "", missing: .authForm)
      else {
        return nil
      }
      location = given
    }
    guard nodes.key(TokenKeys.value) != nil else { return AuthDeclaration.TokenUse(location: location, value: nil) }
    let scope = nodes.scope.with(Self.names(captures + ["token"]))
    guard let value = read(TokenKeys.value, of: nodes, in: scope) else { return nil }
    guard value.value.uses("token") else {
      return fail(
        .authValue, "'value' does not contain the token", at: value.range,
        help: "write {{ token }} where it goes, as in \"Bearer {{ token }}\"")
    }
    return AuthDeclaration.TokenUse(location: location, value: value)
  }

  mutating func login(_ value: FieldValue) -> AuthDeclaration? {
    // The requests of a login do not send records, so they need no schemas.
    let scope = Scope(file: value.scope.file.with(schemas: nil), mayHaveMore: value.scope.mayHaveMore)
    guard let nodes = open(value, as: .login, in: scope) else { return nil }
    let errors = errorCount
    let base = read(LoginKeys.baseURL, of: nodes, in: value.scope)
    var known: [String] = []
    var steps: [AuthDeclaration.Login.Step] = []
    for element in nodes.value(LoginKeys.steps).flatMap({ elements(of: $0) }) ?? [] {
      if let step = loginStep(element, known: &known) { steps.append(step) }
    }
    let request = read(LoginKeys.resource, of: nodes, in: scope.with(Self.names(known)))
    let token = single(
      of: [LoginKeys.token, LoginKeys.tokenHeader], in: nodes, "location of the token in the response",
      owner: value.key,
      help: "give 'token', a JSONPath, or 'token_header'", missing: .authForm)
    let expiry = read(LoginKeys.expires, of: nodes)
    let use = tokenUse(nodes, knowing: known, owner: value.key)
    guard let request, let token, let use, errors == errorCount, !nodes.hasError else { return nil }
    return .login(
      AuthDeclaration.Login(baseURL: base, steps: steps, request: request, token: token, expiry: expiry, use: use))
  }

  /// Reads the lifetime of a token: a duration, or a path in the response.
  mutating func expiry(_ value: FieldValue) -> AuthDeclaration.Login.Expiry? {
    if case .scalar(let scalar) = value.node.content, scalar.text.hasPrefix("$") {
      return jsonPath(value).map { .path($0) }
    }
    guard let duration = duration(value) else { return nil }
    guard duration.value > 0 else {
      return fail(
        .outOfRange, "the token lifetime must be positive", at: value.node.range, help: "write a duration such as 1h")
    }
    return .after(duration)
  }

  private mutating func loginStep(_ value: FieldValue, known: inout [String]) -> AuthDeclaration.Login.Step? {
    let scope = value.scope.with(Self.names(known))
    guard let nodes = open(value.node, as: LoginStepKeys.construct, owner: value.node.range, scope: scope) else {
      return nil
    }
    let request = read(LoginStepKeys.resource, of: nodes)
    var captures: [(name: Located<String>, from: Located<JSONPath>)] = []
    var names: [String] = []
    let capture = nodes.value(LoginStepKeys.capture)
    for member in capture.flatMap({ members(of: $0, role: .variable) }) ?? [] {
      guard member.name != "token", !known.contains(member.name) else {
        report(
          .authConflict,
          "'\(member.name)' is \(member.name == "token" ? "the name of the token" : "already captured")",
          at: member.key.range, help: "choose another name")
        continue
      }
      names.append(member.name)
      guard let path = capture.flatMap({ jsonPath($0.part(member.value)) }) else { continue }
      captures.append((Located(member.name, at: member.key.range), path))
    }
    // Later requests may use a name even if its path has an error.
    known += names
    return request.map { AuthDeclaration.Login.Step(request: $0, capture: captures) }
  }

  /// Reads a request of a login.
  mutating func loginRequest(_ value: FieldValue) -> AuthDeclaration.Login.Request? {
    guard let resource = resource(value) else { return nil }
    if let url = resource.url {
      report(
        .misplacedKey, "a login is sent to the server of 'http.base_url'", at: url.range, help: "use 'path' here")
      return nil
    }
    return AuthDeclaration.Login.Request(
      method: resource.method, path: resource.path, params: resource.params, query: resource.query,
      headers: resource.headers, body: resource.body, unescaped: resource.unescaped)
  }

  /// The names of captured values, which later requests of a login may use.
  private static func names(_ captures: [String]) -> [ExpressionType.Member] {
    captures.map { ExpressionType.Member($0, .string) }
  }
}
