internal import Synchronization

/// The digest sessions of a run, one for each server and user.
///
/// So a password that the server refuses is sent once in a run, and not once by each flow.
public final class DigestSessions: Sendable {
  private let sessions = Mutex<[String: DigestSession]>([:])

  /// Creates a collection without sessions.
  public init() {}

  /// Returns the session of a key; creates it at the first use.
  ///
  /// - Parameter key: a text with the credentials, the server and the connection to it; it is kept only in memory
  public func session(_ key: String, for credentials: DigestCredentials) -> DigestSession {
    sessions.withLock { sessions in
      if let session = sessions[key] { return session }
      let session = DigestSession(credentials)
      sessions[key] = session
      return session
    }
  }
}
