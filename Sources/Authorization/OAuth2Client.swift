internal import ByteCodings
internal import JSONSyntax
internal import ReactorCore

/// A client of an authorization server (RFC 6749), every value resolved.
public struct OAuth2Client: Sendable {
  /// What is shown to get a token.
  public enum Grant: Sendable {
    /// The client's own credentials, section 4.4.
    case clientCredentials
    /// A refresh token, section 6; where the newest one is persisted when each is good for one use; else nil.
    case refreshToken(String, kept: RefreshTokenFile?)
  }

  /// What is shown to get a token.
  public var grant: Grant
  /// The client's name.
  public var id: String
  /// The client's password; nil for a public client.
  public var secret: String?
  /// Whether id and secret go into a header, else into the form.
  public var sendsHeader = true
  /// What is asked for.
  public var scopes: [String] = []
  /// Further fields of the form.
  public var parameters: [(name: String, value: String)] = []

  /// Builds a client.
  public init(_ grant: Grant, id: String, secret: String?) {
    self.grant = grant
    self.id = id
    self.secret = secret
  }

  /// The request for a token; its URL is the connection's own.
  func request(refreshToken: String?) -> Resource {
    var pairs: [(name: String, value: String)] = []
    if let refreshToken {
      pairs += [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
    } else {
      pairs.append(("grant_type", "client_credentials"))
    }
    if !scopes.isEmpty { pairs.append(("scope", scopes.joined(separator: " "))) }
    pairs += parameters
    var headers = Headers([
      Headers.Field("Content-Type", "application/x-www-form-urlencoded"), Headers.Field("Accept", "application/json"),
    ])
    if let secret, sendsHeader {
      headers["Authorization"] = "Basic \(basic(secret))"
    } else {
      pairs.append(("client_id", id))
      if let secret { pairs.append(("client_secret", secret)) }
    }
    return Resource(path: "", method: .POST, body: Array(FormText.encoded(pairs).utf8), headers: headers)
  }

  /// Section 2.3.1: both are encoded as in a form first.
  private func basic(_ secret: String) -> String {
    Base64.encode(Array("\(FormText.encoded(id)):\(FormText.encoded(secret))".utf8))
  }

  /// What must not be shown, encoded as it travels.
  var secrets: [String] {
    var secrets: [String] = []
    if let secret { secrets += [secret, basic(secret)] }
    if case .refreshToken(let token, _) = grant { secrets.append(token) }
    return secrets
  }
}
