internal import JSONSyntax

extension CollectedAuth {
  /// Whether the authorization is sent in the header `Authorization`.
  fileprivate var usesHeader: Bool {
    switch self {
    case .none, .unknown: false
    case .bearer, .basic, .digest, .oauth1, .aws: true
    case .key(let location, let name, _): location == .header && name.lowercased() == "authorization"
    case .oauth(let oauth): oauth.location == .header
    case .jwt(let token): token.location == .header
    }
  }
}

extension RequestTranslator {
  /// Translates the authorization.
  func authorization() {
    draft.authOrigin = request.authOrigin ?? request.origin
    let origin = request.authOrigin ?? request.origin
    draft.auth =
      switch request.auth {
      case .none: nil
      case .bearer(let token, let prefix): bearer(token, prefix, at: origin)
      case .basic(let username, let password): basic(username, password, at: origin)
      case .digest(let username, let password): digest(username, password, at: origin)
      case .oauth1(let oauth): oauth1(oauth, at: origin)
      case .key(let location, let name, let value): key(location, name, value, at: origin)
      case .oauth(let oauth): self.oauth(oauth, at: origin)
      case .aws(let signature): aws(signature, at: origin)
      case .jwt(let token): jwt(token, at: origin)
      case .unknown(let kind, let needs): unknown(kind, needs, at: origin)
      }
    // A header that is written out gives way to the authorization.
    guard draft.auth != nil, request.auth.usesHeader else { return }
    for entry in draft.headers.entries where entry.name.lowercased() == "authorization" {
      draft.headers[entry.name] = nil
    }
  }

  private func unknown(_ kind: String, _ needs: String, at origin: OutputMapping.Origin) -> OutputNode? {
    lose(.authentication, "auth: \(kind)", needs: needs, at: origin)
    return nil
  }

  private func bearer(_ token: String, _ prefix: String, at origin: OutputMapping.Origin) -> OutputNode? {
    guard let token = credential(token, CollectedAuth.tokenName, as: "auth.bearer", at: origin) else { return nil }
    guard !["", "bearer"].contains(prefix.lowercased()) else { return .map([("bearer", token.node)]) }
    var value = FlowTemplate(literal: prefix + " ")
    value.append(token)
    return .map([("api_key", .map([("header", .text("Authorization")), ("value", value.node)]))])
  }

  private func basic(_ username: String, _ password: String, at origin: OutputMapping.Origin) -> OutputNode? {
    // Servers often expect a key as the user name, with an empty password.
    let isKey = password.isEmpty
    guard let user = self.username(username, isKey ? CollectedAuth.keyName : "api_username", at: origin) else {
      return nil
    }
    var secret = FlowTemplate(literal: "")
    if !isKey {
      guard let found = credential(password, CollectedAuth.passwordName, as: "auth.password", at: origin) else {
        return nil
      }
      secret = found
    }
    return .map([("basic", .map([("username", user.node), ("password", secret.node)]))])
  }

  private func digest(_ username: String, _ password: String, at origin: OutputMapping.Origin) -> OutputNode? {
    guard !username.isEmpty, let user = self.username(username, "api_username", at: origin),
      let secret = credential(password, CollectedAuth.passwordName, as: "auth.password", at: origin)
    else { return unknown("digest without a user", "'username'", at: origin) }
    return .map([("digest", .map([("username", user.node), ("password", secret.node)]))])
  }

  private func oauth1(_ oauth: CollectedOAuth1, at origin: OutputMapping.Origin) -> OutputNode? {
    guard !oauth.consumerKey.isEmpty, let key = template(oauth.consumerKey, as: "auth.consumer_key", at: origin),
      let secret = credential(oauth.consumerSecret, CollectedOAuth1.secretName, as: "auth.consumer_secret", at: origin)
    else { return unknown("OAuth 1 without a client", "'consumer_key'", at: origin) }
    var result = OutputMapping([("client_id", key.node), ("client_secret", secret.node)])
    if !oauth.token.isEmpty {
      guard let token = credential(oauth.token, CollectedOAuth1.tokenName, as: "auth.token", at: origin),
        let secret = credential(oauth.tokenSecret, CollectedOAuth1.tokenSecretName, as: "auth.token_secret", at: origin)
      else { return nil }
      result["token"] = token.node
      result["token_secret"] = secret.node
    }
    if !["", "HMAC-SHA1"].contains(oauth.method) { result["algorithm"] = .text(oauth.method) }
    if !oauth.realm.isEmpty, let realm = template(oauth.realm, as: "auth.realm", at: origin) {
      result["realm"] = realm.node
    }
    return .map([("oauth1", .mapping(result))])
  }

  /// Translates a user name: a variable stays a variable, a literal text becomes a secret.
  private func username(_ text: String, _ wish: String, at origin: OutputMapping.Origin) -> FlowTemplate? {
    wish == CollectedAuth.keyName || !text.contains("{{")
      ? credential(text, wish, as: "auth.username", at: origin) : template(text, as: "auth.username", at: origin)
  }

  private func key(
    _ location: CollectedAuth.Location, _ name: String, _ value: String, at origin: OutputMapping.Origin
  ) -> OutputNode? {
    guard let name = self.name(name, as: "auth.key", at: origin), location == .query || Self.isToken(name) else {
      return unknown("an API key without a usable name", "the name of a header or a parameter", at: origin)
    }
    guard let value = credential(value, CollectedAuth.keyName, as: "auth.value", at: origin) else { return nil }
    if location == .query {
      draft.query[name] = nil
    } else {
      for entry in draft.headers.entries where entry.name.lowercased() == name.lowercased() {
        draft.headers[entry.name] = nil
      }
    }
    return .map([("api_key", .map([(location == .query ? "query" : "header", .text(name)), ("value", value.node)]))])
  }

  // MARK: - OAuth 2

  private func oauth(_ oauth: CollectedOAuth, at origin: OutputMapping.Origin) -> OutputNode? {
    guard oauth.grant != .password else { return passwordLogin(oauth, at: origin) }
    guard let url = template(oauth.tokenURL.trimmed, as: "auth.token_url", at: origin), isWhole(oauth.tokenURL) else {
      return unknown("OAuth 2 without the URL of the token endpoint", "'token_url'", at: origin)
    }
    guard !oauth.clientID.isEmpty, let client = template(oauth.clientID, as: "auth.client_id", at: origin) else {
      return unknown("OAuth 2 without a client", "'client_id'", at: origin)
    }
    var result = OutputMapping()
    if oauth.grant == .refreshToken { result["grant"] = .scalar("refresh_token") }
    result["url"] = url.node
    result["client_id"] = client.node
    if !oauth.clientSecret.isEmpty {
      guard let secret = credential(oauth.clientSecret, CollectedOAuth.secretName, as: "auth.client_secret", at: origin)
      else {
        return nil
      }
      result["client_secret"] = secret.node
    }
    if oauth.grant == .refreshToken {
      let token = FlowTemplate(expression: table.secret(nil, wish: "refresh_token"), canBeLeftOut: false)
      result["refresh_token"] = token.node
    }
    let scopes = words(oauth.scope).compactMap { template($0, as: "auth.scope", at: origin)?.node }
    if !scopes.isEmpty { result["scopes"] = .list(scopes) }
    var parameters = OutputMapping()
    if !oauth.audience.isEmpty, let audience = template(oauth.audience, as: "auth.audience", at: origin) {
      parameters["audience"] = audience.node
    }
    for pair in oauth.parameters where !pair.name.isEmpty {
      guard let value = member(pair.name, pair.value, as: "auth.\(pair.name)", at: pair.origin) else { continue }
      parameters.set(pair.name, value.node, from: pair.origin)
    }
    if !parameters.isEmpty { result["params"] = .mapping(parameters) }
    if oauth.sendsClientInBody { result["send"] = .scalar("body") }
    place(oauth.location, oauth.prefix, parameter: "access_token", in: &result)
    return .map([("oauth2", .mapping(result))])
  }

  /// Writes how requests contain the token: in the query, or in the header with a prefix.
  private func place(
    _ location: CollectedAuth.Location, _ prefix: String, parameter: String, in result: inout OutputMapping
  ) {
    if location == .query {
      result["query"] = .text(parameter)
    } else if prefix.lowercased() != "bearer" {
      result["value"] = .text(prefix.isEmpty ? "{{ token }}" : "\(prefix.trimmed) {{ token }}")
    }
  }

  private func isWhole(_ url: String) -> Bool {
    let value = table.value(of: url.trimmed, in: request.scope) ?? url.trimmed
    return value.hasPrefix("http://") || value.hasPrefix("https://") || value.hasPrefix("{{")
  }

  private func words(_ text: String) -> [String] {
    text.contains("{{")
      ? URLText.parts(text, at: " ").filter { !$0.isEmpty }
      : text.split { $0 == " " || $0 == "," || $0.isNewline }.map(String.init)
  }

  /// Translates the password grant of OAuth 2 into a `login` that sends the same form.
  private func passwordLogin(_ oauth: CollectedOAuth, at origin: OutputMapping.Origin) -> OutputNode? {
    let (server, path) = URLText.origin(of: oauth.tokenURL.trimmed)
    guard server.contains("://"), let base = template(server, as: "auth.token_url", at: origin),
      let resource = template(path.isEmpty ? "/" : path, as: "auth.token_url", at: origin), !path.contains("?")
    else {
      return unknown("OAuth 2 by password without a whole token URL", "'https://…' in the URL itself", at: origin)
    }
    guard let user = username(oauth.username, "api_username", at: origin),
      let password = credential(oauth.password, CollectedAuth.passwordName, as: "auth.password", at: origin)
    else { return nil }
    var form = OutputMapping([
      ("grant_type", .text("password")), ("username", user.node), ("password", password.node),
    ])
    var headers = OutputMapping()
    if !oauth.clientID.isEmpty, let client = template(oauth.clientID, as: "auth.client_id", at: origin) {
      let secret =
        oauth.clientSecret.isEmpty
        ? nil : credential(oauth.clientSecret, CollectedOAuth.secretName, as: "auth.client_secret", at: origin)
      if oauth.sendsClientInBody || secret == nil {
        form["client_id"] = client.node
        form["client_secret"] = secret?.node
      } else if let secret, let left = table.expression(client), let right = table.expression(secret) {
        let pair = "\(left.operand(.sum)) + ':' + \(right.operand(.product))"
        headers["Authorization"] = .scalar(OutputText.quoted("Basic {{ base64_encode(\(pair)) }}"))
      } else {
        return unknown("OAuth 2 whose client is made of several variables", "one variable for each value", at: origin)
      }
    }
    if !oauth.scope.isEmpty, let scope = template(oauth.scope, as: "auth.scope", at: origin) {
      form["scope"] = scope.node
    }
    for pair in oauth.parameters where !pair.name.isEmpty {
      guard let value = member(pair.name, pair.value, as: "auth.\(pair.name)", at: pair.origin) else { continue }
      form[pair.name] = value.node
    }
    var request = OutputMapping([("method", .scalar("POST")), ("path", resource.node)])
    if !headers.isEmpty { request["headers"] = .mapping(headers) }
    request["body"] = .map([("form", .mapping(form))])
    var login = OutputMapping()
    login["base_url"] = base.node
    login["resource"] = .mapping(request)
    login["token"] = .text("$.access_token")
    login["expires_after"] = .text("$.expires_in")
    place(oauth.location, oauth.prefix, parameter: "access_token", in: &login)
    return .map([("login", .mapping(login))])
  }

  // MARK: - Signatures

  private func aws(_ signature: CollectedSignature, at origin: OutputMapping.Origin) -> OutputNode? {
    guard let service = template(signature.service, as: "auth.service", at: origin),
      let region = template(signature.region, as: "auth.region", at: origin),
      let access = credential(signature.accessKey, CollectedSignature.accessKeyName, as: "auth.access_key", at: origin),
      let secret = credential(signature.secretKey, CollectedSignature.secretKeyName, as: "auth.secret_key", at: origin)
    else { return nil }
    var result = OutputMapping([
      ("service", service.node), ("region", region.node), ("key_id", access.node), ("key", secret.node),
    ])
    if !signature.sessionToken.isEmpty,
      let token = credential(
        signature.sessionToken, CollectedSignature.sessionTokenName, as: "auth.session_token", at: origin)
    {
      result["token"] = token.node
    }
    return .map([("sigv4", .mapping(result))])
  }

  private func jwt(_ token: CollectedToken, at origin: OutputMapping.Origin) -> OutputNode? {
    guard ["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512"].contains(token.algorithm)
    else {
      return unknown("JWT with \(token.algorithm)", "HS, RS or ES with SHA-2", at: origin)
    }
    guard let key = credential(token.key, CollectedToken.keyName, as: "auth.key", at: origin) else { return nil }
    guard let claims = members(token.claims, as: "auth.claims", at: origin),
      let header = members(token.header, as: "auth.header", at: origin)
    else { return unknown("JWT whose claims are not a JSON object", "variables only inside of JSON texts", at: origin) }
    var result = OutputMapping([("algorithm", .scalar(token.algorithm)), ("key", key.node)])
    if token.isBase64 { result["encoding"] = .scalar("base64") }
    var others = OutputMapping()
    for entry in header.entries {
      switch entry.name {
      case "alg", "typ": break
      case "kid": result["key_id"] = entry.value
      default: others[entry.name] = entry.value
      }
    }
    var rest = claims
    // These are set for each token.
    for name in ["iat", "exp"] { rest[name] = nil }
    if !rest.isEmpty { result["claims"] = .mapping(rest) }
    if !others.isEmpty { result["headers"] = .mapping(others) }
    place(token.location, token.prefix, parameter: token.parameter, in: &result)
    return .map([("jwt", .mapping(result))])
  }

  private func members(_ text: String, as part: String, at origin: OutputMapping.Origin) -> OutputMapping? {
    guard let value = try? JSONValue(parsing: text.trimmed.isEmpty ? "{}" : text), case .object(let object) = value
    else {
      return nil
    }
    var result = OutputMapping()
    for member in object.members where !member.name.contains("{{") {
      guard let node = json(member.value, member.name, at: origin) else { return nil }
      result[member.name] = node
    }
    return result
  }
}
