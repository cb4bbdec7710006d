internal import Authorization
internal import Expressions
internal import FlowSpec
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics

/// Resolves how flows are authorized; what cannot be resolved is reported with its place.
///
/// No token is asked for here: that is done with the first request that needs one.
struct AuthResolver {
  let environment: FlowEnvironment
  let scope: ResolutionScope
  /// The flow's own options, from which those of token requests follow.
  let options: HTTPOptions
  var diagnostics = DiagnosticBag()
  /// The id of the flow that is resolved.
  private(set) var flow = ""

  init(environment: FlowEnvironment, scope: ResolutionScope, options: HTTPOptions) {
    self.environment = environment
    self.scope = scope
    self.options = options
  }

  /// What is declared for a flow; nil after reporting.
  mutating func auth(_ declaration: FlowDeclaration) -> ResolvedAuth? {
    flow = declaration.id
    switch declaration.auth?.value {
    case nil: return ResolvedAuth.none
    case .none?:
      var auth = ResolvedAuth.none
      auth.shown = "none"
      return auth
    case .bearer(let template)?:
      guard let token = resolve(template) else { return nil }
      return fixed(.bearer(token), [token], "bearer", "bearer \(Self.shown(template))")
    case .basic(let username, let password)?:
      guard let name = resolve(username), let word = resolve(password) else { return nil }
      guard !name.contains(":") else {
        return refuse("the user name holds a colon, where the password would begin", at: username)
      }
      return fixed(
        .basic(username: name, password: word), [name, word], "basic",
        "basic, user \(username.value.sourceText), password \(Self.shown(password))")
    case .apiKey(let declared, let template)?:
      guard let key = resolve(template) else { return nil }
      let place = Credential.Place(declared)
      return fixed(Credential(place, key), [key], "api_key", "api_key \(Self.shown(template))")
    case .oauth2(let oauth2)?: return self.oauth2(oauth2)
    case .login(let login)?: return self.login(login, of: declaration)
    }
  }

  private func fixed(_ credential: Credential, _ parts: [String], _ kind: String, _ shown: String) -> ResolvedAuth {
    for secret in [credential.secret] + parts.suffix(1) { environment.secrets.add(secret) }
    return ResolvedAuth(
      authorization: .fixed(credential), identity: CredentialIdentity([kind, "\(credential.place)"] + parts),
      place: credential.place, kind: kind, shown: "\(shown), in \(credential.place.words)")
  }

  // MARK: - Templates

  mutating func resolve(_ template: Located<Template>) -> String? {
    do throws(ResolutionError) {
      let text = try template.value.resolve(with: scope).text
      guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        return refuse("the value holds a control character", at: template)
      }
      return text
    } catch {
      var diagnostic = error.diagnostic
      if diagnostic.range == nil { diagnostic.range = template.range }
      diagnostics.report(diagnostic)
      return nil
    }
  }

  mutating func refuse<Value>(_ message: String, at template: Located<Template>) -> Value? {
    diagnostics.report(Diagnostic(FlowCode.authValue.code, message, at: template.range))
    return nil
  }

  /// A credential as it may be shown: with names in place of values, and nothing of what stands in the file itself.
  static func shown(_ template: Located<Template>) -> String {
    template.value.constantText == nil ? template.value.sourceText : Secret.mask
  }

  /// Where a token goes and in what words.
  func wording(_ use: AuthDeclaration.TokenUse) -> TokenWording {
    guard let value = use.value else { return TokenWording(Credential.Place(use.place)) }
    let scope = scope
    return TokenWording(Credential.Place(use.place)) { (captures) throws(ReactorError) -> String in
      var scope = scope
      scope.values = captures.mapValues { .string($0) }
      do throws(ResolutionError) {
        return try value.value.resolve(with: scope).text
      } catch {
        throw .server("no token: \(error.description)")
      }
    }
  }

  // MARK: - Sessions

  /// Options of requests for tokens: the flow's way to servers, with limits of their own.
  var tokenOptions: HTTPOptions {
    var options = options
    options.timeout = min(options.timeout, .seconds(30))
    options.maxBodyBytes = 1 << 20
    options.redirects = HTTPRedirects(scope: .sameOrigin)
    options.hasSecretBody = true
    options.secrets = environment.secrets
    return options
  }

  /// What makes flows share a session: the same credentials, sent the same way, asked for by the same way.
  func session(
    _ identity: CredentialIdentity, _ use: AuthDeclaration.TokenUse, _ make: () -> TokenSession
  ) -> TokenSession {
    let way = "\(options.proxies)\n\(String(describing: options.allow))\n\(options.certificateFile ?? "")"
    let key = "\(identity.text)\n\(use.place)\n\(use.value?.value.sourceText ?? "")\n\(way)"
    // Each recording holds all that its flow needs, its token too.
    return environment.tokens.session(environment.seam == nil ? key : "\(flow)\n\(key)", make)
  }
}

extension Credential.Place {
  init(_ declared: AuthPlaceDeclaration) {
    switch declared {
    case .header(let name): self = .header(name)
    case .query(let name): self = .query(name)
    case .body(let name): self = .body(name)
    }
  }
}
