import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  mutating func oauth2(_ value: FieldValue) -> WrittenAuth? {
    let errors = errorCount
    guard let nodes = open(value, as: .oauth2) else { return nil }
    var oauth2 = OAuth2<Located<Template>, SignedToken>(Located(Template([]), at: value.key))
    let grant = reading(OAuth2Keys.grant, of: nodes)
    if let grant = grant.value { oauth2.grant = grant }
    fill(&oauth2, with: OAuth2Keys.stored, from: nodes)
    if !grant.isBroken, oauth2.grant != .jwtBearer { checkClient(nodes, owner: value.key) }
    guard let use = tokenUse(nodes, knowing: [], owner: value.key), errors == errorCount, !nodes.hasError else {
      return nil
    }
    oauth2.use = use
    return .oauth2(oauth2)
  }

  /// Checks the keys with which a client authenticates itself. The grant `jwt_bearer` does not need these keys, because
  /// its assertion authenticates the client.
  private mutating func checkClient(_ nodes: FieldNodes, owner: SourceRange) {
    if nodes.isLeftOut(OAuth2Keys.clientID) {
      report(
        .missingKey, "'client_id' is missing in \(nodes.construct.noun)", at: owner,
        help: "add it, for example 'client_id: reactor'")
    }
    if nodes.key(OAuth2Keys.clientSecret) != nil, let key = nodes.key(OAuth2Keys.jwt) {
      report(
        .authConflict, "'jwt' and 'client_secret' cannot both authenticate the client", at: key,
        help: "keep one of the two, or add 'grant: jwt_bearer'")
    }
  }

  /// Reads how requests send the token.
  mutating func tokenUse(_ nodes: FieldNodes, knowing captures: [String], owner: SourceRange) -> TokenUse? {
    let locations = [TokenKeys.header, TokenKeys.query]
    var use = TokenUse()
    if locations.contains(where: { nodes.key($0) != nil }) {
      guard
        let given = single(
          of: locations, in: nodes, "location for the token", owner: owner, help: "", missing: .authForm)
      else { return nil }
      use.location = given
    }
    guard nodes.key(TokenKeys.value) != nil else { return use }
    let scope = nodes.scope.with(Self.names(captures + ["token"]))
    guard let value = read(TokenKeys.value, of: nodes, in: scope) else { return nil }
    guard value.value.uses("token") else {
      return fail(
        .authValue, "'value' does not contain the token", at: value.range,
        help: "write {{ token }} where the token goes, for example \"Bearer {{ token }}\"")
    }
    use.value = value
    return use
  }

  mutating func login(_ value: FieldValue) -> WrittenAuth? {
    // The requests of a login do not send records, so they need no schemas.
    let scope = Scope(file: value.scope.file.with(schemas: nil), mayHaveMore: value.scope.mayHaveMore)
    guard let nodes = open(value, as: .login, in: scope) else { return nil }
    let errors = errorCount
    let base = read(LoginKeys.baseURL, of: nodes, in: value.scope)
    var known: [String] = []
    var steps: [Login<RequestDeclaration>.Step] = []
    for element in nodes.value(LoginKeys.steps).flatMap({ elements(of: $0) }) ?? [] {
      if let step = loginStep(element, known: &known) { steps.append(step) }
    }
    let request = read(LoginKeys.resource, of: nodes, in: scope.with(Self.names(known)))
    let token = read(LoginKeys.token, of: nodes)
    let expiry = read(LoginKeys.expires, of: nodes)
    let use = tokenUse(nodes, knowing: known, owner: value.key)
    guard let request, let token, let use, errors == errorCount, !nodes.hasError else { return nil }
    var login = Login(steps + [Login.Step(request)], token: token, use: use)
    (login.baseURL, login.expiry) = (base, expiry)
    return .login(login)
  }

  /// Reads the lifetime of a token: a duration, or a path in the response.
  mutating func expiry(_ value: FieldValue) -> LoginExpiry? {
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

  private mutating func loginStep(_ value: FieldValue, known: inout [String]) -> Login<RequestDeclaration>.Step? {
    let scope = value.scope.with(Self.names(known))
    guard let nodes = open(value.node, as: LoginStepKeys.construct, owner: value.node.range, scope: scope) else {
      return nil
    }
    var step = read(LoginStepKeys.resource, of: nodes).map { Login.Step($0) }
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
      step?.capture.append(Named(Located(member.name, at: member.key.range), path))
    }
    // Later requests may use a name even if its path has an error.
    known += names
    return step
  }

  /// Reads a request of a login.
  mutating func loginRequest(_ value: FieldValue) -> RequestDeclaration? {
    guard var request = resource(value) else { return nil }
    if let url = request.url {
      report(
        .misplacedKey, "a login is sent to the server of 'http.base_url'", at: url.range, help: "use 'path' here")
      return nil
    }
    // A login is never repeated under the same idempotency key.
    request.idempotency = nil
    return request
  }

  /// The names of captured values, which later requests of a login may use.
  private static func names(_ captures: [String]) -> [ExpressionType.Member] {
    captures.map { ExpressionType.Member($0, .string) }
  }

  // MARK: - What is signed

  mutating func jwt(_ value: FieldValue) -> WrittenAuth? {
    let errors = errorCount
    guard let nodes = open(value, as: .jwt) else { return nil }
    let token = signedToken(nodes)
    guard let use = tokenUse(nodes, knowing: [], owner: value.key), errors == errorCount, !nodes.hasError else {
      return nil
    }
    return .jwt(token, use: use)
  }

  mutating func assertion(_ value: FieldValue) -> SignedToken? {
    let errors = errorCount
    guard let nodes = open(value, as: .assertion) else { return nil }
    let token = signedToken(nodes)
    return errors == errorCount && !nodes.hasError ? token : nil
  }

  private mutating func signedToken(_ nodes: FieldNodes) -> SignedToken {
    var token = SignedToken(key: Located(Template([]), at: nodes.range))
    fill(&token, with: JWTKeys.stored, from: nodes)
    refuse(["alg": "see 'algorithm'", "kid": "see 'key_id'"], in: token.header, of: nodes.construct)
    var own = ["iat": "leave the claim out: reactor sets it to the time of the run", "exp": "see 'expires_after'"]
    if token.hasIdentifier { own["jti"] = "leave out the key 'id' or the claim 'jti'" }
    refuse(own, in: token.claims, of: nodes.construct)
    return token
  }

  /// Reports members of the token's header or claims that other keys set.
  private mutating func refuse(
    _ own: [String: String], in document: Located<TemplatedJSON>?, of construct: Construct
  ) {
    for (name, help) in own.sorted(by: { $0.key < $1.key }) where document?.value.holds(name) ?? false {
      report(
        .authConflict, "'\(name)' is set by \(construct.noun) itself", at: document?.range, help: help)
    }
  }

  mutating func sign(_ value: FieldValue) -> WrittenAuth? {
    guard let nodes = open(value, as: .sign) else { return nil }
    let errors = errorCount
    // Only names that are the same for every request of a flow. The values of parents and pages are already in the
    // request.
    let scope = Scope(file: value.scope.file).with([Self.requestName])
    var fields = ComputedFields()
    fields.query = read(SignKeys.query, of: nodes, in: scope) ?? []
    fields.headers = read(SignKeys.headers, of: nodes, in: scope) ?? []
    guard errors == errorCount, !nodes.hasError else { return nil }
    guard !fields.query.isEmpty || !fields.headers.isEmpty else {
      return fail(
        .authForm, "'sign' declares neither headers nor query parameters", at: value.key,
        help: "add headers, for example 'headers: { X-Signature: \"{{ hmac_sha256(request.body, secrets.NAME) }}\" }'")
    }
    return .sign(fields)
  }

  private static let requestName = ExpressionType.Member(
    "request",
    .object([
      "method": .string, "url": .string, "host": .string, "path": .string, "query": .string, "target": .string,
      "body": .string,
    ]))
}
