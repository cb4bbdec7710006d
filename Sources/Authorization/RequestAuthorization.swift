public import ReactorCore

/// The authorization of the requests of a flow.
public enum RequestAuthorization: Sendable {
  /// The same credential for each request.
  case fixed(Credential)
  /// A token that is obtained with the first request and renewed when necessary.
  case token(TokenSession)
  /// A signature of each request by AWS Signature Version 4.
  case signature(RequestSignature)
  /// An OAuth 1.0 signature of each request, with the keys of a client and a token.
  case oauth1(OAuth1Signature)
  /// A digest for the server's challenge.
  case digest(DigestSession)
  /// Fields that are computed over each request, which is given with the base URL of its connection.
  case computed(@Sendable (Resource, _ base: String) throws(ReactorError) -> Resource)
}
