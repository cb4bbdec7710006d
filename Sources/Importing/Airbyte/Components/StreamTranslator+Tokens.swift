/// Authenticators that select one of several authenticators, and authenticators that sign a token.
extension StreamTranslator {
  private static let algorithms: Set<String> = [
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512",
  ]

  /// Translates a choice among authenticators by a value of the configuration.
  func choice(_ component: Component) -> OutputNode? {
    let choices = component["authenticators"]?.members ?? []
    guard let path = component["authenticator_selection_path"]?.texts, !path.isEmpty, !choices.isEmpty else {
      lose(
        .authentication, "authenticator: SelectiveAuthenticator",
        needs: "'authenticator_selection_path' and 'authenticators'", at: component)
      return nil
    }
    names.variables.require(path)
    let value: FlowExpression
    do throws(JinjaError) { value = try names.variables.look(up: path, default: nil).asText } catch {
      lose(
        .authentication, "authenticator: a choice by '\(path.joined(separator: "."))'",
        needs: "a translatable text: \(error.message)", at: component)
      return nil
    }
    var cases = OutputMapping()
    for choice in choices {
      let isNamed =
        !choice.name.isEmpty && choice.name.utf8.count <= 200
        && !choice.name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      guard isNamed, choice.value.members != nil else {
        lose(
          .authentication, "the case '\(choice.name)' of an authenticator", needs: "a name and an authenticator",
          at: component)
        continue
      }
      let authenticator = component.sibling(choice.value)
      let node = authenticator.type == "NoAuth" ? OutputNode.scalar("none") : auth(authenticator)
      if let node { cases.set(choice.name, node, from: OutputMapping.Origin(choice.value)) }
    }
    guard !cases.isEmpty else { return nil }
    names.variables.restrict(path, to: cases.entries.map(\.name))
    return .map([
      ("choose", .map([("by", .scalar(OutputText.expression(value.text))), ("cases", .mapping(cases))]))
    ])
  }

  /// Translates an authenticator that signs a JWT and sends it to the server.
  func signedToken(_ component: Component) -> OutputNode? {
    guard var result = signature(component) else { return nil }
    var isAuthorization = true
    if let option = component.child("request_option", default: "RequestOption") {
      guard let target = target(option) else { return nil }
      switch target {
      case .header(let name):
        isAuthorization = name.lowercased() == "authorization"
        if !isAuthorization { result["header"] = .text(name) }
      case .query(let name):
        isAuthorization = false
        result["query"] = .text(name)
      case .form, .json:
        lose(.authentication, "authenticator: a token in the body", needs: "a header or a parameter", at: option)
        return nil
      }
    }
    var prefix = ""
    if let node = component["header_prefix"], node.scalar?.isEmpty == false {
      guard let template = template(node, of: component, as: "header_prefix") else { return nil }
      prefix = template.text
    }
    // Without a prefix, the header is the token alone.
    let value = prefix.isEmpty ? "{{ token }}" : "\(prefix) {{ token }}"
    if value != (isAuthorization ? "Bearer {{ token }}" : "{{ token }}") {
      result["value"] = .scalar(OutputText.quoted(value))
    }
    return .map([("jwt", .mapping(result))])
  }

  /// The keys of the flow language that determine how a token is signed; nil after a loss was recorded.
  func signature(_ component: Component) -> OutputMapping? {
    let algorithm = constant(component["algorithm"], of: component)?.uppercased() ?? ""
    guard Self.algorithms.contains(algorithm) else {
      lose(
        .authentication, "authenticator: a token signed with \(algorithm.isEmpty ? "an unknown algorithm" : algorithm)",
        needs: "one of \(Self.algorithms.sorted().joined(separator: ", "))", at: component)
      return nil
    }
    if let node = component["passphrase"], node.scalar?.isEmpty == false {
      lose(.authentication, "authenticator: a private key with a password", needs: "a key without one", at: node)
      return nil
    }
    guard var key = credential("secret_key", component) else { return nil }
    if algorithm.hasPrefix("HS"), component["base64_encode_secret_key"]?.bool ?? false {
      guard let text = component["secret_key"]?.scalar,
        let value = try? TemplateTranslator(names.of(component)).expression(of: text).asText
      else { return nil }
      key = .scalar(OutputText.quoted("{{ base64_encode(\(value.text)) }}"))
    }
    var result = OutputMapping([("algorithm", .scalar(algorithm)), ("key", key)])
    var header = OutputMapping()
    for member in (component["jwt_headers"]?.members ?? []) + (component["additional_jwt_headers"]?.members ?? []) {
      guard let value = value(member.value, of: component, as: "jwt_headers.\(member.name)", isJSON: true) else {
        continue
      }
      switch member.name {
      case "kid": result["key_id"] = template(member.value, of: component, as: "jwt_headers.kid")?.node
      case "alg": break
      case "typ":
        if value.scalar != "JWT" {
          lose(
            .authentication, "jwt_headers.typ: \(member.value.scalar ?? "")", needs: "the type JWT", at: member.value)
        }
      default: header.set(member.name, value, from: OutputMapping.Origin(member.value))
      }
    }
    var claims = OutputMapping()
    for member in (component["jwt_payload"]?.members ?? []) + (component["additional_jwt_payload"]?.members ?? []) {
      // The times of the token are set when it is signed.
      if ["iat", "exp", "nbf"].contains(member.name) { continue }
      if let value = value(member.value, of: component, as: "jwt_payload.\(member.name)", isJSON: true) {
        claims.set(member.name, value, from: OutputMapping.Origin(member.value))
      }
    }
    if !claims.isEmpty { result["claims"] = .mapping(claims) }
    let duration = component["token_duration"]
    let seconds = duration.map { $0.integer ?? constant($0, of: component).flatMap { Int($0) } } ?? 1200
    if let seconds, (1...31_622_400).contains(seconds) {
      result["expires_after"] = .scalar(ISODuration("PT\(seconds)S")?.text ?? "\(seconds)s")
    } else {
      lose(
        .authentication, "token_duration: \(duration?.scalar ?? "")", needs: "a number that is known before the run",
        at: duration ?? component.node)
    }
    if !header.isEmpty { result["headers"] = .mapping(header) }
    result.order(["algorithm", "key", "key_id", "claims", "expires_after", "headers"])
    return result
  }

  /// Translates an authenticator that obtains a token by a request with a signed assertion.
  func assertion(_ component: Component) -> OutputNode? {
    guard let authenticator = component.child("profile_assertion", default: "JwtAuthenticator"),
      authenticator.type == "JwtAuthenticator", let endpoint = component["token_refresh_endpoint"]
    else {
      lose(
        .authentication, "authenticator: a profile assertion", needs: "a JwtAuthenticator and 'token_refresh_endpoint'",
        at: component)
      return nil
    }
    guard let url = template(endpoint, of: component, as: "token_refresh_endpoint"),
      let signature = signature(authenticator)
    else { return nil }
    return .map([
      (
        "oauth2",
        .map([("grant", .scalar("jwt_bearer")), ("url", url.node), ("jwt", .mapping(signature))])
      )
    ])
  }
}
