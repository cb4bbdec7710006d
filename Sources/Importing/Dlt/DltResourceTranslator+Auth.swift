extension DltResourceTranslator {
  /// Translates the authorization of the endpoint, else that of the resource, else that of the client.
  func authorization() {
    guard let node = resource.endpoint("auth") ?? resource["auth"] ?? client?["auth"], !node.isNull else {
      guard let user else { return }
      draft.auth = .map([
        (
          "basic",
          .map([
            ("username", secrets.secret(user.name, wish: "api_username").node),
            ("password", secrets.secret(user.password, wish: "api_password").node),
          ])
        )
      ])
      draft.authOrigin = OutputMapping.Origin(resource.path)
      return
    }
    if user != nil { skip("the user information in the URL", "'auth' is sent instead", resource.path) }
    draft.auth = auth(node)
    draft.authOrigin = OutputMapping.Origin(node)
  }

  private func auth(_ node: SourceNode) -> OutputNode? {
    if DltTranslator.isObject(node) {
      lose(.customCode, "auth", "its settings instead of a Python object", node)
      return nil
    }
    // A text is the kind; the values are in secrets.toml.
    let kind = node.text ?? node["type"]?.text ?? "bearer"
    func secret(_ name: String, _ wish: String) -> OutputNode { secrets.secret(node[name]?.scalar, wish: wish).node }
    switch kind {
    case "bearer": return .map([("bearer", secret("token", "api_token"))])
    case "api_key":
      let name = node["name"]?.filled ?? "Authorization"
      let value = secret("api_key", "api_key")
      switch node["location"]?.text ?? "header" {
      case "header": return .map([("api_key", .map([("header", .text(name)), ("value", value)]))])
      case "query", "param": return .map([("api_key", .map([("query", .text(name)), ("value", value)]))])
      case "cookie":
        var cookie = FlowTemplate(literal: "\(name)=")
        cookie.append(secrets.secret(node["api_key"]?.scalar, wish: "api_key"))
        draft.headers["Cookie"] = cookie.node
        return nil
      default:
        lose(.authentication, "auth: api_key in '\(node["location"]?.scalar ?? "")'", "a header or a parameter", node)
        return nil
      }
    case "http_basic":
      return .map([
        (
          "basic",
          .map([("username", secret("username", "api_username")), ("password", secret("password", "api_password"))])
        )
      ])
    case "oauth2_client_credentials": return oauth(node)
    default:
      // The text may be the credential itself.
      lose(
        .authentication, "auth: an unknown kind", "'bearer', 'api_key', 'http_basic' or 'oauth2_client_credentials'",
        node)
      return nil
    }
  }

  private func oauth(_ node: SourceNode) -> OutputNode? {
    guard let url = node["access_token_url"]?.filled, !DltTranslator.isObject(node["access_token_url"] ?? node) else {
      lose(.authentication, "auth: oauth2_client_credentials", "'access_token_url'", node)
      return nil
    }
    guard DltAddress.withoutUser(url).user == nil else {
      lose(.authentication, "auth: oauth2_client_credentials", "'access_token_url' without user information", node)
      return nil
    }
    var result = OutputMapping([("url", address(url).node)])
    result["client_id"] = secrets.secret(node["client_id"]?.scalar, wish: "client_id").node
    result["client_secret"] = secrets.secret(node["client_secret"]?.scalar, wish: "client_secret").node
    var parameters = OutputMapping()
    for member in node["access_token_request_data"]?.members ?? [] {
      guard let text = member.value.scalar else { continue }
      switch member.name {
      case "client_id", "client_secret": break
      case "grant_type":
        guard text == "client_credentials" else {
          lose(
            .authentication, "auth: grant_type '\(text)'",
            "the grant 'client_credentials', or 'login' with this request",
            member.value)
          return nil
        }
      case "scope": result["scopes"] = .list(text.split(separator: " ").map { .text(String($0)) })
      case _ where RequestTranslator.isCredential(member.name):
        parameters[member.name] = secrets.secret(text, wish: member.name).node
      default: parameters[member.name] = FlowTemplate(literal: text).node
      }
    }
    if !parameters.isEmpty { result["params"] = .mapping(parameters) }
    result["send"] = .scalar("body")
    if node["access_token"]?.filled != nil {
      skip("auth.access_token", "a token is requested when it is needed", node)
    }
    if let lifetime = node["default_token_expiration"] {
      skip("auth.default_token_expiration", "a token without a lifetime is used until a status 401", lifetime)
    }
    return .map([("oauth2", .mapping(result))])
  }

  /// The URL as a template, in which credentials in the query are replaced by secrets.
  private func address(_ url: String) -> FlowTemplate {
    let (start, question) = URLText.split(url, at: "?")
    var result = FlowTemplate(literal: start)
    for (index, pair) in URLText.pairs(question).enumerated() {
      result.append(FlowTemplate(literal: "\(index == 0 ? "?" : "&")\(pair.name)="))
      let isCredential = RequestTranslator.isCredential(pair.name) && !pair.value.isEmpty
      result.append(
        isCredential ? secrets.secret(pair.value, wish: pair.name) : FlowTemplate(literal: pair.value))
    }
    return result
  }
}
