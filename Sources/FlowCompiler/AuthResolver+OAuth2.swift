internal import Authorization
internal import FlowSpec
internal import HTTPTransport
internal import ReactorCore
internal import SourceDiagnostics
internal import Storage

extension AuthResolver {
  /// A token of an authorization server.
  mutating func oauth2(_ declared: AuthDeclaration.OAuth2) -> ResolvedAuth? {
    let url = resolve(declared.tokenURL)
    let id = resolve(declared.clientID)
    let secret = declared.clientSecret.map { resolve($0) }
    let refresh = declared.refreshToken.map { resolve($0) }
    let scopes = declared.scopes.compactMap { resolve($0) }
    let audience = declared.audience.map { resolve($0) }
    var parameters: [(name: String, value: String)] = []
    for param in declared.params {
      if let value = resolve(param.value) { parameters.append((param.name.value, value)) }
    }
    guard !diagnostics.hasErrors, let url, let id else { return nil }
    let base: BaseURL
    do throws(ReactorError) {
      base = try BaseURL(parsing: url)
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.invalidURL.code, error.message, at: declared.tokenURL.range))
      return nil
    }
    if let audience = audience ?? nil { parameters.append(("audience", audience)) }
    let grant: OAuth2Client.Grant
    var kept: RefreshTokenFile?
    if let token = refresh ?? nil {
      if declared.isSingleUse {
        kept = RefreshTokenFile(
          root: environment.tokenRoot, name: RefreshTokenFile.name(host: base.host, client: id, configured: token))
      }
      grant = .refreshToken(token, kept: kept)
    } else {
      grant = .clientCredentials
    }
    var client = OAuth2Client(grant, id: id, secret: secret ?? nil)
    client.sendsHeader = declared.send == .basic
    client.scopes = scopes
    client.parameters = parameters
    for text in [secret ?? nil, refresh ?? nil].compactMap({ $0 }) { environment.secrets.add(text) }
    let identity = CredentialIdentity(
      ["oauth2", declared.grant.rawValue, url, id, secret ?? nil, refresh ?? nil, declared.send.rawValue] + scopes
        + parameters.flatMap { [$0.name, $0.value] })
    return obtained(declared, client, url: url, base: base, kept: kept, identity)
  }

  private func obtained(
    _ declared: AuthDeclaration.OAuth2, _ client: OAuth2Client, url: String, base: BaseURL, kept: RefreshTokenFile?,
    _ identity: CredentialIdentity
  ) -> ResolvedAuth {
    let hasSecret = declared.tokenURL.value.usesSecret
    let shown = hasSecret ? declared.tokenURL.value.sourceText : base.origin + base.path
    let place = Credential.Place(declared.use.place)
    let session = session(identity, declared.use) { [environment, options = tokenOptions, flow] in
      TokenSession(
        client, shown: shown, wording: wording(declared.use), secrets: environment.secrets,
        stopwatch: environment.stopwatch
      ) { () throws(ReactorError) -> any Connection in
        let connection = try environment.connection(of: flow, name: "auth", baseURL: url, options)
        guard hasSecret else { return connection }
        return MaskedConnection(connection, URLMask(hiding: base.origin + base.path, behind: shown))
      }
    }
    var text = "oauth2 \(declared.grant.rawValue) of \(shown), client \(declared.clientID.value.sourceText)"
    if let secret = declared.clientSecret { text += ", secret \(Self.shown(secret))" }
    if let token = declared.refreshToken { text += ", refresh token \(Self.shown(token))" }
    if let kept { text += " or the newer one in \(kept.shown)" }
    if !client.scopes.isEmpty { text += ", scopes \(declared.scopes.map(\.value.sourceText).joined(separator: " "))" }
    return ResolvedAuth(
      authorization: .token(session), identity: identity, place: place, kind: "oauth2",
      shown: "\(text), in \(place.words)\n\(Self.rhythm)")
  }

  /// When tokens are asked for, in words.
  static let rhythm = "asked for once per run, renewed before it expires and once on status 401"
}
