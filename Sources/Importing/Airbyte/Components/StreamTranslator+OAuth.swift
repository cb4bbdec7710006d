/// Authorization by OAuth 2 tokens, which a token endpoint returns.
extension StreamTranslator {
  func oauth(_ component: Component) -> OutputNode? {
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
    result.set("url", tokenURL.node, from: nil)
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

  /// A token request that `oauth2` does not support, as a `login` with the same form.
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
    login["expires_after"] = .text("$." + name("expires_in_name", "expires_in"))
    return .map([("login", .mapping(login))])
  }

  /// The server and the path of a URL that may contain templates; nil for a URL with a query.
  private static func parts(_ url: String) -> (base: String, path: String)? {
    // A server that the configuration gives as a whole.
    if url.hasPrefix("{{"), let end = url.firstRange(of: "}}"), url[end.upperBound...].hasPrefix("/") {
      let path = url[end.upperBound...]
      return path.contains("?") ? nil : (String(url[..<end.upperBound]), String(path))
    }
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let rest = url[scheme.upperBound...]
    guard let slash = rest.firstIndex(of: "/") else { return (url, "/") }
    guard !rest[..<slash].contains("{{") || rest[..<slash].contains("}}"), !rest.contains("?") else { return nil }
    return (String(url[..<slash]), String(rest[slash...]))
  }
}
