/// How the requests of a flow are authorized.
public enum RequestAuthorization: Sendable {
  /// Always with the same credential.
  case fixed(Credential)
  /// With a token that is obtained with the first request and renewed as needed.
  case token(TokenSession)
}
