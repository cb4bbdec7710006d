extension StreamTranslator {
  /// Translates the authenticator of a requester into the authorization of the flow.
  func authorization(_ requester: Component) {
    guard let authenticator = requester.child("authenticator"), authenticator.type != "NoAuth" else { return }
    draft.auth = auth(authenticator)
    draft.authOrigin = OutputMapping.Origin(authenticator)
    guard let header = draft.auth.flatMap(Self.header) else { return spareCases(authenticator) }
    let node = requester["request_headers"]
    // In Airbyte, the authenticator replaces such a header.
    for (name, _) in draft.headers.entries where OutputText.value(name).lowercased() == header {
      draft.headers[name] = nil
      skip(
        "request_headers.\(name)", reason: "the authenticator sets this header",
        at: node?[name] ?? node ?? requester.node)
    }
  }

  /// Writes `none` for each case of a choice of authenticators whose key a header of the request already contains. The
  /// header stays, because the other cases need it.
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

  /// Whether a header contains the same credential as a key. They may differ in `optional(…)`: a header without a value
  /// is left out, while a key must have a value.
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

  /// Translates an authenticator; nil when it cannot be translated.
  func auth(_ authenticator: Component) -> OutputNode? {
    switch authenticator.type {
    case "BearerAuthenticator":
      return credential("api_token", authenticator).map { .map([("bearer", $0)]) }
    case "BasicHttpAuthenticator":
      guard let user = credential("username", authenticator) else { return nil }
      let password =
        authenticator["password"] == nil ? .text("") : credential("password", authenticator, mayBeEmpty: true)
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

  /// The credential in a field of an authenticator; the configuration value that it names is declared as a secret.
  ///
  /// - Parameter mayBeEmpty: whether an optional secret without a value is an empty text
  func credential(_ field: String, _ component: Component, mayBeEmpty: Bool = false) -> OutputNode? {
    guard let node = component[field] else {
      lose(.authentication, "authenticator: \(component.type)", needs: "'\(field)'", at: component)
      return nil
    }
    for value in (try? JinjaTemplate(node.text ?? ""))?.only?.alternatives ?? [] {
      guard let chain = JinjaTranslator(names).chain(value), chain.root == "config" else { continue }
      names.variables.declareSecret(chain.keys)
    }
    let result = template(node, of: component, as: field)
    if mayBeEmpty, let only = result?.only, names.variables.isOptionalSecret(only.text) {
      return FlowTemplate(expression: FlowExpression("coalesce(\(only.text), '')", .string), canBeLeftOut: false).node
    }
    return result?.node
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
            .authentication, "authenticator: a key inside an object of the body",
            needs: "a member at the top of the body", at: option)
          return nil
        }
        location = ("body", .text(path[0]))
      }
    } else if let name = constant(component["header"], of: component) {
      location = ("header", .text(name))
    }
    return .map([("api_key", .map([location, ("value", value)]))])
  }
}
