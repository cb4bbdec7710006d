internal import Synchronization

/// The token sessions of a run, one for each source of tokens.
public final class TokenSessions: Sendable {
  private let sessions = Mutex<[String: TokenSession]>([:])

  /// Creates a collection without sessions.
  public init() {}

  /// Returns the session of a key; `make` creates it at the first use.
  ///
  /// - Parameter key: a text with the credentials, the server and the connection to it; it is kept only in memory
  public func session(_ key: String, _ make: () -> TokenSession) -> TokenSession {
    sessions.withLock { sessions in
      if let session = sessions[key] { return session }
      let session = make()
      sessions[key] = session
      return session
    }
  }

  /// Waits for running token requests that must finish.
  ///
  /// An example is a request whose response replaces a refresh token.
  public func settle() async {
    for session in sessions.withLock({ Array($0.values) }) { await session.settle() }
  }
}
