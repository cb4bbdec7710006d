public import ReactorCore

extension TokenSession {
  /// Creates a session whose tokens are from an authorization server.
  ///
  /// - Parameters:
  ///   - shown: the URL of the token endpoint without its query, with secrets masked, for messages
  ///   - connection: returns the connection to the token endpoint, whose URL is its base URL; called with the first
  ///     request
  public convenience init(
    _ client: OAuth2Client, shown: String, wording: TokenWording, secrets: KnownSecrets,
    stopwatch: Stopwatch = .continuous, wallClock: WallClock = .system,
    connection: @escaping @Sendable () throws(ReactorError) -> any Connection
  ) {
    let request = TokenRequest(connection: connection, shown: "POST \(shown)")
    self.init(
      OAuth2TokenSource(client: client, request: request, wording: wording, wallClock: wallClock), secrets: secrets,
      stopwatch: stopwatch)
  }

  /// Creates a session that signs its tokens itself.
  public convenience init(
    _ token: JSONWebToken, wording: TokenWording, secrets: KnownSecrets, stopwatch: Stopwatch = .continuous,
    wallClock: WallClock = .system
  ) {
    self.init(
      JSONWebTokenSource(token: token, wording: wording, wallClock: wallClock), secrets: secrets, stopwatch: stopwatch)
  }

  /// Creates a session whose tokens are from the login requests of an API.
  ///
  /// - Parameter connection: returns the connection to the server of the login requests
  public convenience init(
    _ sequence: LoginSequence, wording: TokenWording, secrets: KnownSecrets, stopwatch: Stopwatch = .continuous,
    wallClock: WallClock = .system, connection: @escaping @Sendable () throws(ReactorError) -> any Connection
  ) {
    self.init(
      LoginTokenSource(sequence: sequence, connection: connection, wording: wording, wallClock: wallClock),
      secrets: secrets, stopwatch: stopwatch)
  }
}
