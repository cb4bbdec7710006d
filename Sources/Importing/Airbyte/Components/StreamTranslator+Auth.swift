extension StreamTranslator {
  /// Translates an authenticator.
  func authorization(_ requester: Component) {
    guard let authenticator = requester.child("authenticator"), authenticator.type != "NoAuth" else { return }
    draft.auth = auth(authenticator)
    draft.authOrigin = OutputMapping.Origin(authenticator)
    guard let header = draft.auth.flatMap(Self.header) else { return spareCases(authenticator) }
    let node = requester["request_headers"]
    // The authenticator has the last word there.
    for (name, _) in draft.headers.entries where OutputText.value(name).lowercased() == header {
      draft.headers[name] = nil
      skip(
        "request_headers.\(name)", reason: "the authenticator sets this header",
        at: node?[name] ?? node ?? requester.node)
    }
  }

  /// Writes `none` for the cases of a choice whose key the request's own header has anyway; that stays for the others.
  private func spareCases(_ authenticator: Component) {
    guard var choose = draft.auth?.mapping?["choose"]?.mapping, var cases = choose["cases"]?.mapping else { return }
    for (name, value) in cases.entries {
      guard let key = value.mapping?["api_key"]?.mapping?["value"], let header = Self.header(of: value),
        draft.headers.entries.contains(where: {
          OutputText.value($0.name).lowercased() == header && Self.isKey(key, $0.value)
        })
      else { continue }
      cases[name] = .scalar("none")
      skip(
        "the case '\(name)' of the authenticator", reason: "the header \(header) of the request has its key",
        at: authenticator.node)
    }
    choose["cases"] = .mapping(cases)
    draft.auth = .map([("choose", .mapping(choose))])
  }

  /// Whether a header has a key. The header is left out without a value, while a key always has one.
  private static func isKey(_ key: OutputNode, _ header: OutputNode) -> Bool {
    guard header != key, let text = key.scalar else { return header == key }
    return header.scalar == text.replacing("{{ ", with: "{{ optional(").replacing(" }}", with: ") }}")
  }

  /// The header, in lower case, in which an authorization sends its credential in every case; nil for none.
  private static func header(of auth: OutputNode) -> String? {
    guard let (kind, content) = auth.mapping?.entries.first else { return nil }
    let keys = content.mapping
    switch kind {
    case "choose":
      let headers = Set((keys?["cases"]?.mapping?.entries ?? []).map { header(of: $0.value) })
      return headers.count == 1 ? headers.first ?? nil : nil
    case "api_key": return keys?["header"]?.scalar?.lowercased()
    default:
      if let header = keys?["header"]?.scalar { return header.lowercased() }
      return keys?["query"] == nil ? "authorization" : nil
    }
  }

  /// The authorization that an authenticator stands for; nil when it is lost.
  func auth(_ authenticator: Component) -> OutputNode? {
    switch authenticator.type {
    case "BearerAuthenticator":
      return credential("api_token", authenticator).map { .map([("bearer", $0)]) }
    case "BasicHttpAuthenticator":
      guard let user = credential("username", authenticator) else { return nil }
      let password = authenticator["password"] == nil ? .text("") : credential("password", authenticator)
      return password.map { .map([("basic", .map([("username", user), ("password", $0)]))]) }
    case "ApiKeyAuthenticator": return apiKey(authenticator)
    case "OAuthAuthenticator": return oauth(authenticator)
    case "SessionTokenAuthenticator": return session(authenticator)
    case "LegacySessionTokenAuthenticator": return legacySession(authenticator)
    case "NoAuth": return nil
    case "SelectiveAuthenticator": return choice(authenticator)
    case "JwtAuthenticator": return signedToken(authenticator)
    case "RateLimitedMultipleTokenAuthenticator":
      lose(
        .authentication, "authenticator: \(authenticator.type)", needs: "a choice among several tokens by their quota",
        at: authenticator)
      return nil
    default:
      loseUnknown(authenticator, as: "authenticator")
      return nil
    }
  }

  /// A credential; the value of the configuration that it names is a secret.
  func credential(_ field: String, _ component: Component) -> OutputNode? {
    guard let node = component[field] else {
      lose(.authentication, "authenticator: \(component.type)", needs: "'\(field)'", at: component)
      return nil
    }
    if let text = node.text, let only = (try? JinjaTemplate(text))?.only,
      let chain = JinjaTranslator(names).chain(only), chain.root == "config"
    {
      names.variables.declareSecret(chain.keys)
    }
    return template(node, of: component, as: field)?.node
  }

  private func apiKey(_ component: Component) -> OutputNode? {
    guard let value = credential("api_token", component) else { return nil }
    var location: (String, OutputNode) = ("header", .text("Authorization"))
    if let option = component.child("inject_into", default: "RequestOption") {
      guard let target = target(option) else { return nil }
      switch target {
      case .header(let name): location = ("header", .text(name))
      case .query(let name): location = ("query", .text(name))
      case .form(let name): location = ("body", .text(name))
      case .json(let path):
        guard path.count == 1 else {
          lose(
            .authentication, "authenticator: a key inside an object of the body", needs: "a member of the body itself",
            at: option)
          return nil
        }
        location = ("body", .text(path[0]))
      }
    } else if let name = constant(component["header"], of: component) {
      location = ("header", .text(name))
    }
    return .map([("api_key", .map([location, ("value", value)]))])
  }

  // MARK: - OAuth

  private func oauth(_ component: Component) -> OutputNode? {
    guard let url = component["token_refresh_endpoint"] else {
      if let token = component["access_token_value"],
        let value = template(token, of: component, as: "access_token_value")
      {
        return .map([("bearer", value.node)])
      }
      lose(.authentication, "authenticator: OAuthAuthenticator", needs: "'token_refresh_endpoint'", at: component)
      return nil
    }
    if component["profile_assertion"] != nil || component["use_profile_assertion"]?.bool ?? false {
      return assertion(component)
    }
    var grant = constant(component["grant_type"], of: component) ?? "refresh_token"
    if grant == "refresh_token", let token = component["refresh_token"], token.scalar == "" {
      skip("refresh_token", reason: "it is empty, so the client's own credentials get the token", at: token)
      grant = "client_credentials"
    }
    let isKnown = grant == "refresh_token" && component["refresh_token"] != nil || grant == "client_credentials"
    let names = [
      "client_id_name", "client_secret_name", "refresh_token_name", "grant_type_name", "access_token_name",
      "expires_in_name",
    ]
    let defaults = ["client_id", "client_secret", "refresh_token", "grant_type", "access_token", "expires_in"]
    let isPlain = zip(names, defaults).allSatisfy { component[$0].map { $0.scalar } ?? $1 == $1 }
    let hasHeaders = component["refresh_request_headers"]?.members?.isEmpty == false
    let asQuery = component["send_refresh_request_as_query_params"]?.bool ?? false
    guard isKnown, isPlain, !hasHeaders, !asQuery else { return tokenLogin(component, url, grant, asQuery: asQuery) }
    var result = OutputMapping()
    if grant != "client_credentials" { result["grant"] = .scalar(grant) }
    guard let tokenURL = template(url, of: component, as: "token_refresh_endpoint") else { return nil }
    result.set("token_url", tokenURL.node, from: nil)
    guard let client = credential("client_id", component) else { return nil }
    result["client_id"] = client
    if component["client_secret"] != nil, let secret = credential("client_secret", component) {
      result["client_secret"] = secret
    }
    if grant == "refresh_token" {
      guard let token = credential("refresh_token", component) else { return nil }
      result["refresh_token"] = token
      if component["refresh_token_updater"] == nil { result["single_use"] = .scalar("false") }
    }
    if let scopes = component["scopes"]?.list, !scopes.isEmpty {
      result["scopes"] = .list(scopes.compactMap { template($0, of: component, as: "scopes")?.node })
    }
    var parameters = OutputMapping()
    for member in component["refresh_request_body"]?.members ?? [] {
      guard let value = template(member.value, of: component, as: "refresh_request_body.\(member.name)") else {
        continue
      }
      switch member.name {
      case "audience": result["audience"] = value.node
      case "scope": result["scopes"] = .list([value.node])
      // These are sent anyway.
      case "grant_type", "client_id", "client_secret", "refresh_token": break
      default: parameters.set(member.name, value.node, from: OutputMapping.Origin(member.value))
      }
    }
    if !parameters.isEmpty { result["params"] = .mapping(parameters) }
    result["send"] = .scalar("body")
    return .map([("oauth2", .mapping(result))])
  }

  /// A token request that `oauth2` does not know: a login with the same form.
  private func tokenLogin(_ component: Component, _ url: SourceNode, _ grant: String, asQuery: Bool) -> OutputNode? {
    guard let url = template(url, of: component, as: "token_refresh_endpoint"), let (base, path) = Self.parts(url.text)
    else {
      lose(
        .authentication, "authenticator: OAuthAuthenticator", needs: "a whole 'token_refresh_endpoint'", at: component)
      return nil
    }
    var form = OutputMapping()
    func name(_ field: String, _ fallback: String) -> String { constant(component[field], of: component) ?? fallback }
    form[name("grant_type_name", "grant_type")] = .text(grant)
    for (field, key, fallback) in [
      ("client_id", "client_id_name", "client_id"), ("client_secret", "client_secret_name", "client_secret"),
      ("refresh_token", "refresh_token_name", "refresh_token"),
    ] where component[field] != nil {
      if let value = credential(field, component) { form[name(key, fallback)] = value }
    }
    for member in component["refresh_request_body"]?.members ?? [] {
      guard let value = template(member.value, of: component, as: "refresh_request_body.\(member.name)") else {
        continue
      }
      form[member.name] = value.node
    }
    if let scopes = component["scopes"]?.texts, !scopes.isEmpty, !scopes.contains(where: { $0.contains("{{") }) {
      form["scope"] = .text(scopes.joined(separator: " "))
    }
    var resource = OutputMapping([("method", .scalar("POST")), ("path", .scalar(OutputText.value(path)))])
    if path.contains("{{") { resource["path"] = .scalar(OutputText.quoted(path)) }
    if asQuery {
      resource["query"] = .mapping(form)
    } else {
      var headers = OutputMapping()
      var isJSON = false
      for member in component["refresh_request_headers"]?.members ?? [] {
        guard let value = template(member.value, of: component, as: "refresh_request_headers.\(member.name)") else {
          continue
        }
        if member.name.lowercased() == "content-type" {
          isJSON = value.text.contains("json")
          continue
        }
        headers.set(member.name, value.node, from: OutputMapping.Origin(member.value))
      }
      if !headers.isEmpty { resource["headers"] = .mapping(headers) }
      resource["body"] = .map([(isJSON ? "json" : "form", .mapping(form))])
    }
    var login = OutputMapping()
    login["base_url"] = .scalar(OutputText.quoted(base))
    if !base.contains("{{") { login["base_url"] = .text(base) }
    login["resource"] = .mapping(resource)
    login["token"] = .text("$." + name("access_token_name", "access_token"))
    login["expires"] = .text("$." + name("expires_in_name", "expires_in"))
    return .map([("login", .mapping(login))])
  }

  /// The server and the path of a URL in the notation of templates.
  private static func parts(_ url: String) -> (base: String, path: String)? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let rest = url[scheme.upperBound...]
    guard let slash = rest.firstIndex(of: "/") else { return (url, "/") }
    guard !rest[..<slash].contains("{{") || rest[..<slash].contains("}}"), !rest.contains("?") else { return nil }
    return (String(url[..<slash]), String(rest[slash...]))
  }

  // MARK: - Sessions

  private func session(_ component: Component) -> OutputNode? {
    guard let requester = component.child("login_requester", default: "HttpRequester"), !requester.isCustom else {
      lose(
        .authentication, "authenticator: SessionTokenAuthenticator", needs: "a 'login_requester' without code",
        at: component)
      return nil
    }
    guard let path = component["session_token_path"]?.texts, !path.isEmpty else {
      lose(.authentication, "authenticator: SessionTokenAuthenticator", needs: "'session_token_path'", at: component)
      return nil
    }
    if let decoder = component.child("decoder"), decoder.type != "JsonDecoder" {
      lose(
        .authentication, "authenticator: a login whose response is \(decoder.type)", needs: "a JSON response",
        at: decoder)
      return nil
    }
    let inner = FlowDraft(draft.name, at: draft.origin)
    let translator = StreamTranslator(context: context, draft: inner, names: names)
    translator.request(requester)
    if let basic = requester.child("authenticator"), basic.type != "NoAuth" { translator.loginCredential(basic) }
    draft.keys.items += inner.keys.items
    var login = OutputMapping()
    if inner.base != draft.base { login["base_url"] = inner.base.node }
    login["resource"] = inner.resource
    login["token"] = .text(OutputText.path(path))
    if let text = component["expiration_duration"]?.text {
      if let duration = ISODuration(text), duration.months == 0 {
        login["expires"] = .scalar(duration.text)
      } else {
        lose(.authentication, "expiration_duration: \(text)", needs: "a duration without months", at: component)
      }
    }
    if let use = component.child("request_authentication"),
      use.type == "ApiKey" || use.type == "SessionTokenRequestApiKeyAuthenticator"
    {
      guard let option = use.child("inject_into", default: "RequestOption"), let target = target(option) else {
        return nil
      }
      switch target {
      case .header(let name): if name.lowercased() != "authorization" { login["header"] = .text(name) }
      case .query(let name): login["query"] = .text(name)
      case .form, .json:
        lose(
          .authentication, "authenticator: a session token in the body", needs: "a header or a parameter", at: option)
        return nil
      }
      let token = use["api_token"] ?? use.node.with("{{ session_token }}")
      let isDefault = token.scalar?.filter { $0 != " " } == "{{session_token}}"
      if login["header"] == nil && login["query"] == nil || !isDefault {
        guard
          let value = template(
            token, of: use, as: "api_token", names: names.with("session_token", FlowExpression("token", .string)))
        else { return nil }
        login["value"] = value.node
      }
    }
    return .map([("login", .mapping(login))])
  }

  /// Puts the credential of a login request into its headers or parameters.
  private func loginCredential(_ component: Component) {
    func expression(_ field: String) -> FlowExpression? {
      guard let node = component[field], let text = node.scalar else { return .literal("") }
      do throws(JinjaError) { return try TemplateTranslator(names.of(component)).expression(of: text).asText } catch {
        lose(.authentication, "\(field): \(text)", needs: error.message, at: component)
        return nil
      }
    }
    switch component.type {
    case "BasicHttpAuthenticator":
      guard let user = expression("username"), let password = expression("password") else { return }
      let pair = "\(user.operand(.sum)) + ':' + \(password.operand(.product))"
      draft.headers["Authorization"] = .scalar(OutputText.quoted("Basic {{ base64_encode(\(pair)) }}"))
    case "BearerAuthenticator":
      guard let token = expression("api_token") else { return }
      draft.headers["Authorization"] = .scalar(OutputText.quoted("Bearer {{ \(token.text) }}"))
    case "ApiKeyAuthenticator":
      guard let token = expression("api_token") else { return }
      var location: RequestTarget? = .header(constant(component["header"], of: component) ?? "Authorization")
      if let option = component.child("inject_into", default: "RequestOption") { location = target(option) }
      if let location { inject(token, into: location, at: component) }
    default:
      lose(
        .authentication, "authenticator of a login: \(component.type)", needs: "a credential in its request",
        at: component)
    }
  }

  private func legacySession(_ component: Component) -> OutputNode? {
    guard let url = component["login_url"], let key = constant(component["session_token_response_key"], of: component)
    else {
      lose(.authentication, "authenticator: LegacySessionTokenAuthenticator", needs: "'login_url'", at: component)
      return nil
    }
    guard let path = template(url, of: component, as: "login_url"), let user = credential("username", component),
      let password = credential("password", component)
    else { return nil }
    let text = path.text.hasPrefix("/") ? path.text : "/" + path.text
    let login = OutputMapping([
      (
        "resource",
        .map([
          ("method", .scalar("POST")),
          ("path", .scalar(path.isConstant ? OutputText.value(text) : OutputText.quoted(text))),
          ("body", .map([("json", .map([("username", user), ("password", password)]))])),
        ])
      ), ("token", .text("$." + key)),
      ("header", .text(constant(component["header"], of: component) ?? "X-Session-Token")),
    ])
    return .map([("login", .mapping(login))])
  }
}
