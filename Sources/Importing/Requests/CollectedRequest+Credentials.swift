internal import ByteCodings
internal import JSONSyntax

/// A credential in a request of a collection.
struct CollectedCredential {
  /// The credential as it is written: a literal text, or one with variables.
  let text: String
  /// The name of the secret for a literal text; a number is appended if another secret has the name.
  let secretName: String
}

extension CollectedRequest {
  /// All credentials of the request: those of its authorization, and the values whose names say that they are
  /// credentials.
  var credentials: [CollectedCredential] {
    var result = auth.credentials
    func add(_ name: String, _ value: String) {
      guard RequestTranslator.isCredential(name, value) else {
        for found in CredentialText.places(in: value) { add(found.name, String(value[found.range])) }
        return
      }
      result.append(
        CollectedCredential(
          text: value, secretName: name.lowercased() == "authorization" ? CollectedAuth.tokenName : name))
    }
    for pair in headers + pathValues + auth.parameters { add(pair.name, pair.value) }
    func addParameter(_ name: String, _ value: String) {
      guard RequestTranslator.isCredential(query: name, value) else { return }
      result.append(CollectedCredential(text: value, secretName: name))
    }
    for pair in query { addParameter(pair.name, pair.value) }
    for pair in URLText.pairs(URLText.split(URLText.split(url, at: "#").0, at: "?").1) {
      addParameter(pair.name, pair.value)
    }
    func addAll(_ text: String) {
      if let value = try? JSONValue(parsing: text) { return value.eachText("", add) }
      add("", text)
    }
    switch body {
    case .none, .unknown: break
    case .form(let pairs): for pair in pairs { add(pair.name, pair.value) }
    case .text(let text, _): addAll(text)
    case .graphql(let query, let variables, _):
      addAll(query)
      if let variables { addAll(variables) }
    }
    return result
  }

  /// The request, in which a user name and a password in the URL become its authorization.
  var withoutCredentialsInURL: CollectedRequest {
    let url = self.url.trimmed
    guard let start = RequestTranslator.scheme(of: url) else { return self }
    let host = (["#", "?", "/"] as [Character]).reduce(String(url[start...])) { URLText.split($0, at: $1).0 }
    guard let at = host.lastIndex(of: "@") else { return self }
    let (user, password) = URLText.split(String(host[..<at]), at: ":")
    var result = self
    result.url = String(url[..<start]) + host[host.index(after: at)...] + url[start...].dropFirst(host.count)
    if case .none = auth {
      result.auth = .basic(username: Self.unescaped(user), password: Self.unescaped(password))
    }
    return result
  }

  private static func unescaped(_ text: String) -> String { text.contains("{{") ? text : PercentCoding.decode(text) }
}

extension CollectedAuth {
  /// The default name of the secret for a token.
  static let tokenName = "api_token"
  /// The default name of the secret for an API key.
  static let keyName = "api_key"
  /// The default name of the secret for a password.
  static let passwordName = "api_password"

  fileprivate var credentials: [CollectedCredential] {
    let pairs: [(String, String)] =
      switch self {
      case .none, .unknown: []
      case .bearer(let token, _): [(token, Self.tokenName)]
      case .basic(let username, let password):
        password.isEmpty ? [(username, Self.keyName)] : [(password, Self.passwordName)]
      case .digest(_, let password): [(password, Self.passwordName)]
      case .oauth1(let oauth):
        [
          (oauth.consumerSecret, CollectedOAuth1.secretName), (oauth.token, CollectedOAuth1.tokenName),
          (oauth.tokenSecret, CollectedOAuth1.tokenSecretName),
        ]
      case .key(_, _, let value): [(value, Self.keyName)]
      case .oauth(let oauth): [(oauth.clientSecret, CollectedOAuth.secretName), (oauth.password, Self.passwordName)]
      case .aws(let signature):
        [
          (signature.accessKey, CollectedSignature.accessKeyName),
          (signature.secretKey, CollectedSignature.secretKeyName),
          (signature.sessionToken, CollectedSignature.sessionTokenName),
        ]
      case .jwt(let token): [(token.key, CollectedToken.keyName)]
      }
    return pairs.filter { !$0.0.isEmpty }.map { CollectedCredential(text: $0.0, secretName: $0.1) }
  }

  /// The additional pairs in the token request of the authorization.
  fileprivate var parameters: [CollectedRequest.Pair] {
    if case .oauth(let oauth) = self { oauth.parameters } else { [] }
  }
}

extension CollectedOAuth {
  /// The name of the secret for the client's secret.
  static let secretName = "client_secret"
}

extension CollectedOAuth1 {
  /// The names of the secrets.
  static let (secretName, tokenName, tokenSecretName) = ("consumer_secret", "oauth_token", "oauth_token_secret")
}

extension CollectedSignature {
  /// The names of the secrets.
  static let (accessKeyName, secretKeyName, sessionTokenName) = (
    "aws_access_key_id", "aws_secret_access_key", "aws_session_token"
  )
}

extension CollectedToken {
  /// The name of the secret for the key.
  static let keyName = "jwt_key"
}

extension JSONValue {
  /// Calls a closure with each text in the value, and the name of its member; an element has the empty name.
  fileprivate func eachText(_ name: String, _ visit: (String, String) -> Void) {
    switch self {
    case .string(let text): visit(name, text)
    case .array(let elements): for element in elements { element.eachText("", visit) }
    case .object(let object): for member in object.members { member.value.eachText(member.name, visit) }
    case .null, .bool, .number: break
    }
  }
}
