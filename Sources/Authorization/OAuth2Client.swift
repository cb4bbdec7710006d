internal import ByteCodings
internal import JSONSyntax
internal import ReactorCore

/// A client of an authorization server (RFC 6749), with all its values resolved.
public struct OAuth2Client: Sendable {
  /// The grant with which the client obtains a token.
  public enum Grant: Sendable {
    /// The client's own credentials (RFC 6749, section 4.4).
    case clientCredentials
    /// A refresh token (RFC 6749, section 6).
    ///
    /// `persisted` is the file of the newest refresh token when each refresh token can be used only once; otherwise nil.
    case refreshToken(String, persisted: RefreshTokenFile?)
  }

  /// The grant with which the client obtains a token.
  public var grant: Grant
  /// The client's identifier.
  public var id: String
  /// The client's secret; nil for a public client.
  public var secret: String?
  /// Whether the identifier and the secret are sent in a header; otherwise they are sent in the form.
  public var sendsHeader = true
  /// The scopes to request.
  public var scopes: [String] = []
  /// Additional fields of the form.
  public var parameters: [(name: String, value: String)] = []

  /// Builds a client.
  public init(_ grant: Grant, id: String, secret: String?) {
    self.grant = grant
    self.id = id
    self.secret = secret
  }

  /// Returns the request for a token; its URL is the base URL of the connection.
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

  /// Returns the basic credentials. Both parts are first encoded as in a form (RFC 6749, section 2.3.1).
  private func basic(_ secret: String) -> String {
    Base64.encode(Array("\(FormText.encoded(id)):\(FormText.encoded(secret))".utf8))
  }

  /// The texts that must not be shown, encoded as they are sent.
  var secrets: [String] {
    var secrets: [String] = []
    if let secret { secrets += [secret, basic(secret)] }
    if case .refreshToken(let token, _) = grant { secrets.append(token) }
    return secrets
  }
}
