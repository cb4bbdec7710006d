/// The values with which each request is signed for AWS (Signature Version 4).
public struct SigV4<Text: Sendable>: Sendable {
  /// The name of the AWS service.
  public var service: Text
  /// The name of the region.
  public var region: Text
  /// The access key ID.
  public var accessKey: Text
  /// The secret access key.
  public var secretKey: Text
  /// The session token of temporary credentials; empty or nil for other credentials.
  public var sessionToken: Text?
}

extension SigV4 {
  /// Creates values that all have the same temporary text; they are set afterwards.
  public init(_ text: Text) { self.init(service: text, region: text, accessKey: text, secretKey: text) }

  /// A copy in which each text is converted, for example from a template to its value.
  public func map<Other: Sendable>(_ text: (Text) -> Other) -> SigV4<Other> {
    .init(
      service: text(service), region: text(region), accessKey: text(accessKey), secretKey: text(secretKey),
      sessionToken: sessionToken.map(text))
  }

  /// All texts with their keys, in the fixed order in which they identify the credentials.
  package var texts: [(key: String, text: Text?)] {
    [
      ("service", service), ("region", region), ("access_key", accessKey), ("secret_key", secretKey),
      ("session_token", sessionToken),
    ]
  }
}

/// How the signature of OAuth 1.0 is computed (RFC 5849, section 3.4).
public enum OAuth1Method: String, Sendable, Hashable, CaseIterable {
  case hmacSHA1 = "HMAC-SHA1"
  case hmacSHA256 = "HMAC-SHA256"
  case plaintext = "PLAINTEXT"
}

/// The values with which each request is signed for OAuth 1.0.
public struct OAuth1<Text: Sendable>: Sendable {
  /// The consumer key, which identifies the client.
  public var consumerKey: Text
  /// The secret of the client.
  public var consumerSecret: Text
  /// The token that an account has granted; nil if the client sends requests without an account.
  public var token: Text?
  /// The secret of the token.
  public var tokenSecret: Text?
  /// How the signature is computed.
  public var signature = OAuth1Method.hmacSHA1
  /// The realm in the header, if any.
  public var realm: Text?
}

extension OAuth1 {
  /// Creates a client whose key and secret have the same temporary text; they are set afterwards.
  public init(_ text: Text) { self.init(consumerKey: text, consumerSecret: text) }

  /// A copy in which each text is converted, for example from a template to its value.
  public func map<Other: Sendable>(_ text: (Text) -> Other) -> OAuth1<Other> {
    .init(
      consumerKey: text(consumerKey), consumerSecret: text(consumerSecret), token: token.map(text),
      tokenSecret: tokenSecret.map(text), signature: signature, realm: realm.map(text))
  }

  /// All texts with their keys, in the fixed order in which they identify the credentials.
  package var texts: [(key: String, text: Text?)] {
    [
      ("consumer_key", consumerKey), ("consumer_secret", consumerSecret), ("token", token),
      ("token_secret", tokenSecret), ("realm", realm),
    ]
  }
}
