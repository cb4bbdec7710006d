internal import JSONSyntax
internal import ReactorCore
public import Storage

/// Persists the newest single-use refresh token as a document of the state.
///
/// The document contains the token itself. A token is lost in two cases: the process or the machine stops between the
/// server's response and the end of the save, or the state cannot save the token. The server then no longer accepts the
/// old token. A persisted token is used instead of the configured token as long as the configured token does not change.
public struct RefreshTokenDocument: Sendable {
  /// The location of the document for messages.
  public var shown: String { store.location(of: document) }
  private let store: any StateStore
  private let document: StateDocument

  /// Creates a reference to a document; nothing is opened.
  ///
  /// - Parameter name: a text of letters, digits, `.` and `-`
  public init(in store: any StateStore, name: String) {
    self.store = store
    document = StateDocument(.tokens, name)
  }

  /// Returns a document name for a client and its configured token: the server's host and a digest.
  public static func name(host: String, client: String, configured: String) -> String {
    let host = String(
      host.lowercased().unicodeScalars.map { scalar in
        switch scalar {
        case "a"..."z", "0"..."9", ".", "-": Character(scalar)
        default: Character("-")
        }
      }.drop { $0 == "." }.prefix(60))
    let digest = CredentialIdentity(["refresh token", host, client, configured]).text.prefix(16)
    return "\(host.isEmpty ? "token" : host)-\(digest)"
  }

  /// Locks the document for renewing the token. Waits at most a minute for another process that has the lock.
  func lock() async throws(ReactorError) -> any DocumentLock {
    try await store.lock(
      document, otherwise: "another process has been renewing the token of \(shown) for a minute")
  }

  private static let largest = 1 << 16

  /// Returns the persisted token; nil when there is none for the configured token.
  func read(configured: String) async throws(ReactorError) -> String? {
    guard let bytes = try await store.read(document) else { return nil }
    // Only the number is read first: the rest of a later form may be anything.
    if bytes.count <= Self.largest {
      try StateVersion.tokens.check((try? JSONValue(parsing: bytes))?["v"]?.int64, at: shown)
    }
    let persisted: PersistedToken
    do throws(ReactorError) {
      guard bytes.count <= Self.largest else { throw .parser("too large") }
      persisted = try Parser(ModelMapping<PersistedToken>()).parse(bytes).model
    } catch {
      // The error omits the parser's message, which may quote the token.
      throw .persistence(
        "\(shown) is damaged (remove it to begin with the configured refresh token again)", path: shown)
    }
    return persisted.belongs(to: configured) ? persisted.token : nil
  }

  /// Persists the token that replaces the configured token.
  ///
  /// When this function returns, the token is on the storage medium.
  func write(_ token: String, configured: String, under lock: any DocumentLock) async throws(ReactorError) {
    do throws(ReactorError) {
      let parser = Parser(ModelMapping<PersistedToken>())
      try await lock.write(try parser.encode(PersistedToken(token, configured: configured)) + [0x0A])
    } catch {
      var error = error
      error.message += "; the server has replaced the refresh token, and the new one could not be persisted"
      // Another process would send the old token.
      error.isOfSharedState = false
      throw error
    }
  }
}

/// A refresh token and the digest of the configured token that it replaces.
private struct PersistedToken: Mappable {
  let token: String
  private let digest: String

  init(_ token: String, configured: String) {
    self.init(token: token, digest: Self.digest(of: configured))
  }

  private init(token: String, digest: String) {
    self.token = token
    self.digest = digest
  }

  func belongs(to configured: String) -> Bool { digest == Self.digest(of: configured) }

  private static func digest(of token: String) -> String { CredentialIdentity(["configured", token]).text }

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> PersistedToken {
    guard try json.integerField("v") == StateVersion.tokens.number else {
      throw MappedError("expected version \(StateVersion.tokens.number)").inside("v")
    }
    let token = try json.stringField("refresh_token")
    guard !token.isEmpty else { throw MappedError("expected a token, found an empty string").inside("refresh_token") }
    return PersistedToken(token: token, digest: try json.stringField("configured"))
  }

  func mapToJSON() -> JSONValue? {
    .object(["v": .integer(StateVersion.tokens.number), "refresh_token": .string(token), "configured": .string(digest)])
  }
}
