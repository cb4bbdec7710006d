internal import ByteCodings
public import ReactorCore

/// Signs requests with the credentials of a client and of a token (OAuth 1.0, RFC 5849).
///
/// Each request is signed when it is sent, with the time and a new nonce. The signature covers the URL that the
/// connection sends, and the pairs of a form in the body. A request to another origin than the base URL's is not
/// signed.
public struct OAuth1Signature: Sendable {
  /// How the signature is computed (RFC 5849, section 3.4).
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case hmacSHA1 = "HMAC-SHA1"
    /// Not in the RFC; servers that support it compute it like HMAC-SHA1.
    case hmacSHA256 = "HMAC-SHA256"
    /// The secrets themselves, for connections with TLS.
    case plaintext = "PLAINTEXT"
  }

  /// The name and the secret of a client or a token.
  public struct Key: Sendable {
    let name: String
    let secret: String

    /// Creates a key.
    public init(_ name: String, secret: String) {
      self.name = name
      self.secret = secret
    }
  }

  /// How the signature is computed.
  public var method: Method
  private let client: Key
  private let token: Key?
  /// The realm in the header; nil for none.
  public var realm: String?
  /// The clock that dates the signatures.
  var wallClock: WallClock = .system
  /// Returns a text that no request with the same time has.
  var nonce: @Sendable () -> String = { RandomText.hex(bytes: 16) }
  /// Whether the signature contains `oauth_version`, which is optional.
  var sendsVersion = true

  /// Creates a signature.
  ///
  /// - Parameter token: the token of the account; nil for requests of the client itself
  public init(_ method: Method, client: Key, token: Key?) {
    self.method = method
    self.client = client
    self.token = token
  }

  /// Returns the same signature with another clock for its timestamps.
  public func dated(by wallClock: WallClock) -> OAuth1Signature {
    var signature = self
    signature.wallClock = wallClock
    return signature
  }

  /// Returns the request with its signature.
  func signed(_ resource: Resource, base: String) throws(ReactorError) -> Resource {
    guard let own = try OwnRequest(resource, base: base) else { return resource }
    var resource = own.resource
    var fields = [("oauth_consumer_key", client.name)]
    if let token { fields.append(("oauth_token", token.name)) }
    fields.append(("oauth_signature_method", method.rawValue))
    fields.append(("oauth_timestamp", String(wallClock.sinceEpoch().components.seconds)))
    fields.append(("oauth_nonce", nonce()))
    if sendsVersion { fields.append(("oauth_version", "1.0")) }
    let text = Self.baseString(resource, url: own.url, base: own.base, fields)
    fields.append(("oauth_signature", signature(of: text)))
    let realm = realm.map { [("realm", $0)] } ?? []
    resource.headers["Authorization"] =
      "OAuth "
      + (realm.map { "\($0.0)=\"\($0.1)\"" } + fields.map { "\($0.0)=\"\(PercentCoding.encode($0.1))\"" })
      .joined(separator: ", ")
    return resource
  }

  private func signature(of text: String) -> String {
    let key = "\(PercentCoding.encode(client.secret))&\(token.map { PercentCoding.encode($0.secret) } ?? "")"
    let digest: DigestAlgorithm
    switch method {
    case .plaintext: return key
    case .hmacSHA1: digest = .sha1
    case .hmacSHA256: digest = .sha256
    }
    return Base64.encode(digest.authenticationCode(of: Array(text.utf8), key: Array(key.utf8)))
  }

  /// The text that is signed (RFC 5849, section 3.4.1).
  static func baseString(
    _ resource: Resource, url: String, base: BaseURL, _ fields: [(String, String)]
  ) -> String {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var parameters = fields + (parts.count > 1 ? pairs(parts[1]) : [])
    if let body = resource.body, isForm(resource.headers["Content-Type"]) {
      parameters += pairs(Substring(decoding: body, as: UTF8.self))
    }
    let encoded = parameters.map { (PercentCoding.encode($0.0), PercentCoding.encode($0.1)) }
    let sorted = encoded.sorted {
      $0.0 == $1.0
        ? $0.1.utf8.lexicographicallyPrecedes($1.1.utf8) : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
    }
    let path = parts[0].dropFirst(base.origin.count)
    return [
      resource.method.rawValue, PercentCoding.encode("\(base.scheme)://\(base.authority)\(path)"),
      PercentCoding.encode(sorted.map { "\($0.0)=\($0.1)" }.joined(separator: "&")),
    ].joined(separator: "&")
  }

  private static func isForm(_ type: String?) -> Bool {
    let form = "application/x-www-form-urlencoded"
    return type.map { Headers.matches(String($0.prefix { $0 != ";" && $0 != " " }), form) } ?? false
  }

  /// The decoded pairs of a query or a form; in both, a plus sign is a space (RFC 5849, section 3.4.1.3.1).
  private static func pairs(_ text: Substring) -> [(String, String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        PercentCoding.decode($0.replacing("+", with: " "))
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}

extension OAuth1Signature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method; never a key.
  public var description: String { "OAuth 1.0 signature with \(method.rawValue)" }
  /// The same text as `description`.
  public var debugDescription: String { description }
  /// Shows only the method, so that a dump shows no key.
  public var customMirror: Mirror { Mirror(self, children: ["method": method.rawValue]) }
}
