internal import Authorization
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import SourceDiagnostics

extension AuthResolver {
  /// Resolves a signature of OAuth 1.0.
  mutating func oauth1(_ declared: AuthDeclaration.OAuth1, of flow: FlowDeclaration) -> AuthPlan? {
    let key = resolve(declared.consumerKey)
    let secret = resolve(declared.consumerSecret)
    let token = declared.token.map { resolve($0) }
    let tokenSecret = declared.tokenSecret.map { resolve($0) }
    let realm = declared.realm.map { resolve($0) }
    let base = declared.signature == .plaintext ? resolve(flow.pull.request.baseURL) : nil
    guard !diagnostics.hasErrors, let key, let secret else { return nil }
    if key.isEmpty { return refuse("the key of the client is empty", at: declared.consumerKey) }
    if let declared = declared.token, token == "" { return refuse("the token is empty", at: declared) }
    if let declared = declared.realm, (realm ?? "")?.contains(where: { $0 == "\"" || $0 == "\\" }) ?? false {
      return refuse("the realm holds a quote or a backslash", at: declared)
    }
    if let base, !base.lowercased().hasPrefix("https:") {
      return refuse("'signature: PLAINTEXT' would send the secrets without encryption", at: declared.consumerSecret)
    }
    var signature = OAuth1Signature(
      OAuth1Signature.Method(rawValue: declared.signature.rawValue) ?? .hmacSHA1,
      client: .init(key, secret: secret),
      token: (token ?? nil).map { .init($0, secret: (tokenSecret ?? nil) ?? "") })
    signature.realm = realm ?? nil
    var auth = AuthPlan.none
    auth.source = .oauth1(signature)
    auth.location = .header("Authorization")
    auth.identity = CredentialIdentity(["oauth1", key, secret, token ?? nil, tokenSecret ?? nil, realm ?? nil])
    auth.secrets = [secret, tokenSecret ?? nil].compactMap { $0 }.filter { !$0.isEmpty }
    auth.kind = "oauth1"
    var shown = "oauth1 \(declared.signature.rawValue), client \(declared.consumerKey.value.sourceText)"
    shown += ", secret \(Self.shown(declared.consumerSecret))"
    if let token = declared.token { shown += ", token \(token.value.sourceText)" }
    if let secret = declared.tokenSecret { shown += ", secret \(Self.shown(secret))" }
    auth.shown = (shown, ", in the header Authorization\neach request is signed when it is sent")
    return auth
  }

  /// Resolves credentials for answers to the server's challenges.
  mutating func digest(_ username: Located<Template>, _ password: Located<Template>) -> AuthPlan? {
    guard let name = resolve(username), let word = resolve(password) else { return nil }
    if name.contains(":") { return refuse("the user name holds a colon", at: username) }
    if name.isEmpty { return refuse("the user name is empty", at: username) }
    var auth = AuthPlan.none
    auth.source = .digest(DigestCredentials(username: name, password: word))
    auth.location = .header("Authorization")
    auth.identity = CredentialIdentity(["digest", name, word])
    auth.secrets = word.isEmpty ? [] : [word]
    auth.kind = "digest"
    auth.shown = (
      "digest, user \(username.value.sourceText), password \(Self.shown(password))",
      ", in the header Authorization\nthe server's challenge is asked for once per run"
    )
    return auth
  }
}
