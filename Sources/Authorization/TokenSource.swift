internal import ReactorCore

/// Where tokens come from: an authorization server, or a login.
protocol TokenSource: Sendable {
  /// Whether a request under way must finish even when no flow waits for it any more: its response may hold a token that
  /// the server gives only once.
  var mustFinish: Bool { get }
  /// Obtains a token; what it learns is added to the secrets before it returns.
  func obtain(_ secrets: KnownSecrets) async throws(ReactorError) -> ObtainedToken
}

/// A token as it came.
struct ObtainedToken: Sendable {
  /// Ready to be sent.
  var credential: Credential
  /// How long it is good for, from the moment its request was sent; nil when it is not known.
  var lifetime: Duration?
}
