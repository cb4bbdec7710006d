internal import Authorization
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

extension AuthResolver {
  /// Resolves credentials for a token from an authorization server.
  mutating func oauth2(_ declared: AuthDeclaration.OAuth2) -> AuthPlan? {
    let url = resolve(declared.tokenURL)
    let id = declared.clientID.map { resolve($0) }
    let secret = declared.clientSecret.map { resolve($0) }
    let refresh = declared.refreshToken.map { resolve($0) }
    let scopes = declared.scopes.compactMap { resolve($0) }
    let audience = declared.audience.map { resolve($0) }
    var parameters: [(name: String, value: String)] = []
    for param in declared.params {
      if param.value.value.isOptional, (try? param.value.value.resolveEach(with: scope))?.isEmpty == true { continue }
      if let value = resolve(param.value) { parameters.append((param.name.value, value)) }
    }
    guard !diagnostics.hasErrors, let url else { return nil }
    let clientID = (id ?? nil) ?? ""
    let base: BaseURL
    do throws(ReactorError) {
      base = try BaseURL(parsing: url)
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.invalidURL.code, error.message, at: declared.tokenURL.range))
      return nil
    }
    if let audience = audience ?? nil { parameters.append(("audience", audience)) }
    var assertion: SignedTokenPlan?
    if let signed = declared.assertion {
      assertion = signedToken(signed, defaults: Self.claims(of: clientID, url, grant: declared.grant))
      if assertion == nil { return nil }
    }
    let grant: OAuth2Client.Grant
    var tokenFile: String?
    if let token = refresh ?? nil {
      if declared.isSingleUse {
        tokenFile = RefreshTokenFile.name(host: base.host, client: clientID, configured: token)
      }
      grant = .refreshToken(token, persisted: nil)
    } else if let assertion, declared.grant == .jwtBearer {
      grant = .assertion(assertion.token)
    } else {
      grant = .clientCredentials
    }
    var client = OAuth2Client(grant, id: clientID, secret: secret ?? nil)
    if declared.grant != .jwtBearer { client.assertion = assertion?.token }
    client.sendsHeader = declared.send == .basic
    client.scopes = scopes
    client.parameters = parameters
    var auth = obtained(declared, client, url: url, base: base, tokenFile: tokenFile)
    auth.identity = CredentialIdentity(
      ["oauth2", declared.grant.rawValue, url, clientID, secret ?? nil, refresh ?? nil, declared.send.rawValue] + scopes
        + parameters.flatMap { [$0.name, $0.value] } + (assertion?.identity ?? []))
    auth.secrets = [secret ?? nil, refresh ?? nil, assertion?.key].compactMap { $0 }
    if let assertion { auth.shown?.start += ", assertion \(assertion.shown)" }
    return auth
  }

  private mutating func obtained(
    _ declared: AuthDeclaration.OAuth2, _ client: OAuth2Client, url: String, base: BaseURL, tokenFile: String?
  ) -> AuthPlan {
    let hasSecret = declared.tokenURL.value.usesSecret
    let shown = hasSecret ? declared.tokenURL.value.sourceText : base.origin + base.path
    var plan = OAuth2Plan(client, url: url, shown: shown, use: use(declared.use))
    if hasSecret { plan.mask = URLMask(hiding: base.origin + base.path, behind: shown) }
    var text = "oauth2 \(declared.grant.rawValue) of \(shown)"
    if let id = declared.clientID { text += ", client \(id.value.sourceText)" }
    if let secret = declared.clientSecret { text += ", secret \(Self.shown(secret))" }
    if let token = declared.refreshToken { text += ", refresh token \(Self.shown(token))" }
    plan.tokenFile = tokenFile
    var end = ""
    if !client.scopes.isEmpty { end += ", scopes \(declared.scopes.map(\.value.sourceText).joined(separator: " "))" }
    var auth = AuthPlan.none
    auth.source = .oauth2(plan)
    auth.location = plan.use.location
    auth.kind = "oauth2"
    auth.shown = (text, "\(end), in \(plan.use.location.words)\n\(Self.rhythm)")
    return auth
  }

  /// The claims of an assertion that the other keys say.
  private static func claims(
    of client: String, _ url: String, grant: AuthDeclaration.OAuth2.Grant
  ) -> [(name: String, value: String)] {
    let names = client.isEmpty ? [] : grant == .jwtBearer ? ["iss"] : ["iss", "sub"]
    return names.map { ($0, client) } + [("aud", url)]
  }

  /// When tokens are requested, as text.
  static let rhythm = "asked for once per run, renewed before it expires and once on status 401"
}
