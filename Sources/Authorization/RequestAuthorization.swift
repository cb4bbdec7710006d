/// The authorization of the requests of a flow.
public enum RequestAuthorization: Sendable {
  /// The same credential for each request.
  case fixed(Credential)
  /// A token that is obtained with the first request and renewed when necessary.
  case token(TokenSession)
  /// A signature of each request.
  case signature(RequestSignature)
}
