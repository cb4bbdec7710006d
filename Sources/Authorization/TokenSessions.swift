internal import Synchronization

/// The token sessions of a run, one for each source of tokens.
public final class TokenSessions: Sendable {
  private let sessions = Mutex<[String: TokenSession]>([:])

  /// Knows none.
  public init() {}

  /// The session under a key, made with its first use.
  ///
  /// - Parameter key: credentials, server and connection to it; held in memory only
  public func session(_ key: String, _ make: () -> TokenSession) -> TokenSession {
    sessions.withLock { sessions in
      if let session = sessions[key] { return session }
      let session = make()
      sessions[key] = session
      return session
    }
  }

  /// Waits for requests under way that must come to their end, such as one whose response replaces a refresh token.
  public func settle() async {
    for session in sessions.withLock({ Array($0.values) }) { await session.settle() }
  }
}
