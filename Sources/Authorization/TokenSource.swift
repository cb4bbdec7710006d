internal import ReactorCore

/// A source of tokens: an authorization server, or the login requests of an API.
protocol TokenSource: Sendable {
  /// Whether a running request must finish even when no flow waits for it any more.
  ///
  /// Its response may contain a token that the server sends only once.
  var mustFinish: Bool { get }
  /// Obtains a token. Every secret in the responses is added to `secrets` before the function returns.
  func obtain(_ secrets: KnownSecrets) async throws(ReactorError) -> ObtainedToken
}

/// A token as it was received.
struct ObtainedToken: Sendable {
  /// The credential to send.
  var credential: Credential
  /// The lifetime of the token from the moment its request was sent; nil when it is unknown.
  var lifetime: Duration?
}
