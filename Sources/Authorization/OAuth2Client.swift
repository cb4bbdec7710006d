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
    /// `persisted` is the document of the newest refresh token when each refresh token can be used only once; otherwise nil.
    case refreshToken(String, persisted: RefreshTokenDocument?)
    /// A signed assertion (RFC 7523, section 2.1).
    case assertion(JSONWebToken)
  }

  /// The grant with which the client obtains a token.
  public var grant: Grant
  /// The client's identifier; empty if the grant needs none.
  public var id: String
  /// The client's secret; nil for a public client.
  public var secret: String?
  /// The assertion that authenticates the client instead of a secret (RFC 7523, section 2.2); nil for none.
  public var assertion: JSONWebToken?
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
  ///
  /// - Parameters:
  ///   - assertion: the signed assertion of the grant
  ///   - clientAssertion: the signed assertion that authenticates the client
  func request(refreshToken: String?, assertion: String? = nil, clientAssertion: String? = nil) -> Resource {
    var pairs: [(name: String, value: String)] = []
    if let refreshToken {
      pairs += [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
    } else if let assertion {
      pairs += [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)]
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
      if !id.isEmpty { pairs.append(("client_id", id)) }
      if let secret { pairs.append(("client_secret", secret)) }
    }
    if let clientAssertion {
      pairs.append(("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"))
      pairs.append(("client_assertion", clientAssertion))
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
