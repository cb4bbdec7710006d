import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Fields of a token request that the declaration sets itself.
  private static let ownParameters = [
    "grant_type", "client_id", "client_secret", "scope", "audience", "refresh_token",
  ]

  mutating func oauth2(_ value: FieldValue) -> AuthDeclaration.OAuth2? {
    guard let fields = open(value.node, as: .oauth2, owner: value.key) else { return nil }
    let errors = errorCount
    let grant = choice(fields.value("grant"), AuthDeclaration.OAuth2.Grant.allCases.map(\.rawValue))
      .flatMap(AuthDeclaration.OAuth2.Grant.init(rawValue:))
    let isFaultyGrant = grant == nil && !fields.isLeftOut("grant")
    let url = fields.value("token_url").flatMap { self.url($0, check: BaseURLText.check) }
    let id = fields.value("client_id").flatMap { filled($0) }
    let secret = fields.value("client_secret").flatMap { credential($0) }
    let refresh = fields.value("refresh_token").flatMap { credential($0) }
    let isSingleUse = boolean(fields.value("single_use"))
    let scopes = fields.value("scopes").flatMap { elements(of: $0) }?.compactMap { scope($0) }
    let audience = fields.value("audience").flatMap { filled($0) }
    let params = self.params(fields.value("params"))
    let send = choice(fields.value("send"), AuthDeclaration.OAuth2.Sending.allCases.map(\.rawValue))
      .flatMap(AuthDeclaration.OAuth2.Sending.init(rawValue:))
    let use = tokenUse(fields, knowing: [], owner: value.key)
    if !isFaultyGrant {
      checkGrant(grant ?? .clientCredentials, fields)
    }
    guard let url, let id, let use, errors == errorCount, !fields.isFaulty else { return nil }
    return AuthDeclaration.OAuth2(
      grant: grant ?? .clientCredentials, tokenURL: url, clientID: id, clientSecret: secret, scopes: scopes ?? [],
      audience: audience, params: params, refreshToken: refresh, send: send ?? .basic,
      isSingleUse: isSingleUse ?? true, use: use)
  }

  /// Keys that belong to one grant only.
  private mutating func checkGrant(_ grant: AuthDeclaration.OAuth2.Grant, _ fields: FieldNodes) {
    switch grant {
    case .refreshToken:
      guard fields.isLeftOut("refresh_token"), let key = fields.key("grant") else { return }
      report(
        .missingKey, "'refresh_token' is missing in \(Construct.oauth2.noun)", at: key,
        help: "add it, for example 'refresh_token: \"{{ secrets.NAME }}\"'")
    case .clientCredentials:
      for name in ["refresh_token", "single_use"] {
        guard let key = fields.key(name) else { continue }
        report(
          .misplacedKey, "'\(name)' belongs to the grant 'refresh_token'", at: key,
          help: "add 'grant: refresh_token', or leave it out")
      }
    }
  }

  private mutating func scope(_ value: FieldValue) -> Located<Template>? {
    guard let scope = filled(value) else { return nil }
    for case .text(let text) in scope.value.segments where text.contains(" ") {
      report(
        .authValue, "a scope holds no blank", at: value.node.range, help: "write each scope as an element of its own")
      return nil
    }
    return scope
  }

  private mutating func params(_ value: FieldValue?) -> [NamedTemplate] {
    namedTemplates(value, role: .parameter).filter { param in
      guard Self.ownParameters.contains(param.name.value) else { return true }
      report(
        .authConflict, "'\(param.name.value)' is set by \(Construct.oauth2.noun) itself", at: param.name.range,
        help: param.name.value == "grant_type" ? "see 'grant'" : "use the key made for it")
      return false
    }
  }

  /// Where a token goes; nil after reporting.
  private mutating func tokenUse(
    _ fields: FieldNodes, knowing captures: [String], owner: SourceRange
  ) -> AuthDeclaration.TokenUse? {
    let places = ["header", "query"].compactMap { fields.value($0) }
    var place = AuthPlaceDeclaration.header("Authorization")
    if !places.isEmpty {
      guard
        let chosen = single(places, of: "place for the token", owner: owner, isFaulty: fields.isFaulty),
        let given = self.place(chosen)
      else { return nil }
      place = given
    }
    guard let written = fields.value("value") else { return AuthDeclaration.TokenUse(place: place, value: nil) }
    let outer = runtimeNames
    runtimeNames = Self.names(captures + ["token"])
    defer { runtimeNames = outer }
    guard let value = lineTemplate(written) else { return nil }
    guard value.value.uses("token") else {
      report(
        .authValue, "'value' does not hold the token", at: written.node.range,
        help: "write {{ token }} where it goes, as in \"Bearer {{ token }}\"")
      return nil
    }
    return AuthDeclaration.TokenUse(place: place, value: value)
  }

  mutating func login(_ value: FieldValue) -> AuthDeclaration.Login? {
    guard let fields = open(value.node, as: .login, owner: value.key) else { return nil }
    let errors = errorCount
    let base = fields.value("base_url").flatMap { url($0, check: BaseURLText.check) }
    var known: [String] = []
    var steps: [AuthDeclaration.Login.Step] = []
    for element in fields.value("steps").flatMap({ elements(of: $0) }) ?? [] {
      if let step = loginStep(element, base: base, known: &known) { steps.append(step) }
    }
    let request = fields.value("resource").flatMap { loginRequest($0, base: base, knowing: known) }
    let places = ["token", "token_header"].compactMap { fields.value($0) }
    let chosen = single(
      places, of: "place of the token in the answer", owner: value.key, isFaulty: fields.isFaulty,
      words: "give 'token', a JSONPath, or 'token_header'")
    let token: AuthDeclaration.Login.TokenPlace? = chosen.flatMap { chosen in
      chosen.spec.name == "token"
        ? jsonPath(chosen).map { .body($0) } : name(chosen, role: .header).map { .header($0) }
    }
    let expiry = fields.value("expires").flatMap { self.expiry($0) }
    let use = tokenUse(fields, knowing: known, owner: value.key)
    guard let request, let token, let use, errors == errorCount, !fields.isFaulty else { return nil }
    return AuthDeclaration.Login(
      baseURL: base, steps: steps, request: request, token: token, expiry: expiry, use: use)
  }

  private mutating func expiry(_ value: FieldValue) -> AuthDeclaration.Login.Expiry? {
    if case .scalar(let scalar) = value.node.content, scalar.text.hasPrefix("$") {
      return jsonPath(value).map { .path($0) }
    }
    guard let duration = duration(value) else { return nil }
    guard duration.value > 0 else {
      report(.outOfRange, "a token that is never good cannot be used", at: value.node.range)
      return nil
    }
    return .after(duration)
  }

  private mutating func loginStep(
    _ value: FieldValue, base: Located<Template>?, known: inout [String]
  ) -> AuthDeclaration.Login.Step? {
    guard let fields = open(value.node, as: .loginStep, owner: value.node.range) else { return nil }
    let request = fields.value("resource").flatMap { loginRequest($0, base: base, knowing: known) }
    var captures: [(name: Located<String>, from: Located<JSONPath>)] = []
    var names: [String] = []
    if let capture = fields.value("capture") {
      for member in members(of: capture, role: .variable) ?? [] {
        guard member.name != "token", !known.contains(member.name) else {
          report(
            .authConflict,
            "'\(member.name)' is \(member.name == "token" ? "the name of the token" : "captured already")",
            at: member.key.range, help: "choose another name")
          continue
        }
        names.append(member.name)
        guard let path = jsonPath(capture.part(member.value)) else { continue }
        captures.append((Located(member.name, at: member.key.range), path))
      }
    }
    // A name is known also where its path is broken.
    known += names
    return request.map { AuthDeclaration.Login.Step(request: $0, capture: captures) }
  }

  private mutating func loginRequest(
    _ value: FieldValue, base: Located<Template>?, knowing captures: [String]
  ) -> AuthDeclaration.Login.Request? {
    let outer = runtimeNames
    runtimeNames = Self.names(captures)
    defer { runtimeNames = outer }
    return resource(value).map {
      AuthDeclaration.Login.Request(
        method: $0.method, path: $0.path, params: $0.params, query: $0.query, headers: $0.headers, body: $0.body)
    }
  }

  /// What requests of a login know of earlier answers, as expressions see it.
  private static func names(_ captures: [String]) -> [ExpressionType.Member] {
    captures.map { ExpressionType.Member($0, .string) }
  }
}
