/// Authorization by a session token that a login request returns.
extension StreamTranslator {
  func session(_ component: Component) -> OutputNode? {
    guard let requester = component.child("login_requester", default: "HttpRequester"), !requester.isCustom else {
      lose(
        .authentication, "authenticator: SessionTokenAuthenticator", needs: "a 'login_requester' without custom code",
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
    if let url = inner.url {
      inner.url = nil
      lose(
        .request, "the URL of a login: \(url.text)", needs: "a path; the flow sends a slash after this URL",
        at: requester)
    }
    if let basic = requester.child("authenticator"), basic.type != "NoAuth" { translator.loginCredential(basic) }
    draft.keys.items += inner.keys.items
    var login = OutputMapping()
    if inner.base != draft.base { login["base_url"] = inner.base.node }
    login["resource"] = inner.resource
    login["token"] = .text(OutputText.path(path))
    if let text = component["expiration_duration"]?.text {
      if let duration = ISODuration(text), duration.months == 0 {
        login["expires_after"] = .scalar(duration.text)
      } else {
        lose(.authentication, "expiration_duration: \(text)", needs: "a duration without months", at: component)
      }
    }
    if let use = component.child("request_authentication"),
      use.type == "ApiKey" || use.type == "SessionTokenRequestApiKeyAuthenticator"
    {
      guard let option = use.child("inject_into", default: "RequestOption") else {
        lose(
          .authentication, "authenticator: SessionTokenAuthenticator",
          needs: "'inject_into', which says where the token is sent", at: use)
        return nil
      }
      guard let target = target(option) else { return nil }
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
        lose(.authentication, "\(field): \(text)", needs: "a translatable text: \(error.message)", at: component)
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

  func legacySession(_ component: Component) -> OutputNode? {
    let header = constant(component["header"], of: component) ?? "X-Session-Token"
    if let token = component["session_token"], !(token.scalar ?? "").isEmpty {
      // The manifest's runner sends a configured token without a login; it logs in only if no token is given.
      guard component["username"] != nil, component["password"] != nil else {
        return credential("session_token", component).map {
          .map([("api_key", .map([("header", .text(header)), ("value", $0)]))])
        }
      }
      lose(
        .authentication, "session_token: \(token.scalar ?? "")",
        needs: "a token; the flow logs in with the user name and the password instead", at: token)
    }
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
      ("header", .text(header)),
    ])
    return .map([("login", .mapping(login))])
  }
}
