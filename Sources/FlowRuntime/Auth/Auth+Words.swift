internal import Authorization
internal import Expressions
internal import FlowModel
internal import ReactorCore

extension ResolvedAuth {
  /// The kind of authorization in one word, as flow files name it; nil without credentials.
  var kind: String? {
    switch self {
    case .none, .choose: nil
    case .bearer: "bearer"
    case .basic: "basic"
    case .digest: "digest"
    case .apiKey: "api_key"
    case .oauth2: "oauth2"
    case .login: "login"
    case .jwt: "jwt"
    case .sigv4: "sigv4"
    case .oauth1: "oauth1"
    case .sign: "sign"
    }
  }

  /// A description of the authorization with secrets masked, in two parts. The path of the refresh token's file is
  /// inserted between them.
  var words: (start: String, end: String) {
    let place = locations.first.map { ", in \($0.words)" } ?? ""
    switch self {
    case .none, .choose: return ("none", "")
    case .bearer(let token): return ("bearer \(token.masked)", place)
    case .basic(let account): return ("basic, \(account.words)", place)
    case .digest(let account):
      return ("digest, \(account.words)", "\(place)\nthe server's challenge is requested once per run")
    case .apiKey(_, let key): return ("api_key \(key.masked)", place)
    case .oauth2(let oauth2):
      let scopes = oauth2.scopes.map(\.words).joined(separator: " ")
      return (oauth2.words, "\(scopes.isEmpty ? "" : ", scopes \(scopes)")\(place)\n\(Self.rhythm)")
    case .login(let login):
      let requests = login.steps.map(\.request.shownWithoutQuery).joined(separator: ", then ")
      return ("login by \(requests)", "\(place)\n\(Self.rhythm)")
    case .jwt(let token, _):
      return ("jwt \(token.words)", "\(place)\nsigned once per run, again before it expires and once on status 401")
    case .sigv4(let sigv4):
      var text = "sigv4 for \(sigv4.service.words) in \(sigv4.region.words)"
      text += ", key \(sigv4.accessKey.words), secret \(sigv4.secretKey.masked)"
      if let token = sigv4.sessionToken { text += ", session token \(token.masked)" }
      return (text, "\(place)\neach request is signed when it is sent")
    case .oauth1(let oauth1):
      var text = "oauth1 \(oauth1.signature.rawValue), client \(oauth1.consumerKey.words)"
      text += ", secret \(oauth1.consumerSecret.masked)"
      if let token = oauth1.token { text += ", token \(token.words)" }
      if let secret = oauth1.tokenSecret { text += ", secret \(secret.masked)" }
      return (text, "\(place)\neach request is signed when it is sent")
    case .sign(let fields):
      let names =
        fields.headers.map { "header \($0.name.value)" } + fields.query.map { "parameter \($0.name.value)" }
      return ("sign, \(names.joined(separator: ", "))", "\ncomputed over each request when it is sent")
    }
  }

  /// A description of when tokens are requested.
  private static var rhythm: String { "requested once per run, renewed before it expires and once on status 401" }

  /// The secret texts of the credentials, which must never be shown anywhere.
  var secrets: [String] {
    let texts: [String?]
    switch self {
    case .none, .login, .sign, .choose: texts = []
    case .bearer(let text), .apiKey(_, let text): texts = [credential?.secret, text.value]
    case .basic(let account): texts = [credential?.secret, account.password.value]
    case .digest(let account): texts = [account.password.value]
    case .oauth2(let oauth2):
      texts = [oauth2.clientSecret?.value, oauth2.refreshToken?.value, oauth2.assertion?.key]
    case .jwt(let token, _): texts = [token.key]
    case .sigv4(let sigv4): texts = [sigv4.secretKey.value, sigv4.sessionToken?.value]
    case .oauth1(let oauth1): texts = [oauth1.consumerSecret.value, oauth1.tokenSecret?.value]
    }
    return texts.compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The identity of the declared credentials.
  ///
  /// - Parameter secrets: the values of the secrets that computed fields use
  func identity(_ secrets: [String?]) -> CredentialIdentity {
    guard let kind else { return .none }
    var parts: [String?] = [kind]
    if let credential { parts.append("\(credential.location)") }
    switch self {
    case .none, .choose: break
    case .bearer(let text), .apiKey(_, let text): parts.append(text.value)
    case .basic(let account), .digest(let account): parts += [account.username.value, account.password.value]
    case .sigv4(let sigv4): parts += sigv4.texts.map { $0.text?.value }
    case .oauth1(let oauth1): parts += oauth1.texts.map { $0.text?.value }
    case .oauth2(let oauth2):
      parts += [oauth2.grant.rawValue, oauth2.tokenURL.value, oauth2.clientID?.value ?? ""]
      parts += [oauth2.clientSecret?.value, oauth2.refreshToken?.value, oauth2.send.rawValue]
      parts += oauth2.scopes.map(\.value) + oauth2.fields.flatMap { [$0.name, $0.value] }
      parts += oauth2.assertion?.identity ?? []
    case .login(let login):
      parts += login.steps.map { $0.request.resource.fingerprint(scope: $0.request.baseText) }
    case .jwt(let token, _): parts += token.identity
    case .sign(let fields):
      let all = fields.query + fields.headers
      parts += all.flatMap { [$0.name.value, ExpressionTemplate($0.value.value).sourceText] } + secrets
    }
    return CredentialIdentity(parts)
  }
}

extension UserPassword<FilledText> {
  fileprivate var words: String { "user \(username.words), password \(password.masked)" }
}

extension OAuth2<FilledText, FilledToken> {
  fileprivate var words: String {
    var text = "oauth2 \(grant.rawValue) of \(shownURL)"
    if let clientID { text += ", client \(clientID.words)" }
    if let clientSecret { text += ", secret \(clientSecret.masked)" }
    if let refreshToken { text += ", refresh token \(refreshToken.masked)" }
    if let assertion { text += ", assertion \(assertion.words)" }
    return text
  }
}
