internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// Persists the newest single-use refresh token in `.reactor/auth/NAME.json` below a root.
///
/// The file contains the token itself. Only the owner may access the folder and the file (modes 0700 and 0600).
/// `Storage` replaces the whole file at once. A token is lost in two cases: the process or the machine stops between
/// the server's response and the end of the save, or the disk cannot save the token. The server then no longer accepts
/// the old token. A persisted token is used instead of the configured token as long as the configured token does not
/// change.
public struct RefreshTokenFile: Sendable {
  /// The path of the file for messages.
  public let shown: String
  private let root: OutputRoot
  private let path: OutputPath

  /// Creates a reference to a file below a root; no file is opened.
  ///
  /// - Parameters:
  ///   - root: the output root
  ///   - name: a file name without extension, of letters, digits, `.` and `-`
  public init(root: String, name: String) {
    // Other users cannot replace files in a folder that only its owner may access.
    self.root = OutputRoot(path: root, allowsSharedFolders: true, isPrivate: true, threads: 1)
    path = .state("\(name).json", in: "auth")
    let prefix = root.isEmpty || root == "." ? "" : root.hasSuffix("/") ? root : root + "/"
    shown = prefix + path.text
  }

  /// Returns a file name for a client and its configured token: the server's host and a digest.
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

  /// Locks the file for renewing the token. Waits at most a minute for another process that has the lock.
  func lock() async throws(ReactorError) -> LockedTokenFile {
    for _ in 0..<1200 {
      if let lock = try await root.lockIfFree(path) { return LockedTokenFile(lock, root: root, shown: shown) }
      try await Delay.real.wait(.milliseconds(50))
    }
    throw .persistence("another process has been renewing the token of \(shown) for a minute", path: shown)
  }
}

/// The file while this process has the lock to renew its token.
struct LockedTokenFile: Sendable {
  private let lock: PathLock
  private let shown: String
  private let persistence: any Persistence<PersistedToken>
  /// The file belongs to no resource of the API. The name of the file identifies the owner of the token.
  private let resource = Resource(path: "", method: .POST)

  init(_ lock: PathLock, root: OutputRoot, shown: String) {
    self.lock = lock
    self.shown = shown
    let parser = Parser(ModelMapping<PersistedToken>())
    let path = lock.path
    persistence = InDiskPersistence(
      root: root, path: { _ in path }, key: { _ in 0 },
      form: InDiskPersistence.Form(
        schema: 0, isSelfContained: true,
        read: { (file, _, _) async throws(ReactorError) -> PersistedToken in
          do throws(ReactorError) {
            return try parser.parse(try await file.bytes(from: 0, count: Self.largest)).model
          } catch {
            guard error.kind == .parser else { throw error }
            // The error omits the parser's message, which may quote the token.
            throw .persistence("\(shown) is damaged (remove it to begin with the configured refresh token again)")
          }
        },
        publish: { (token, destination) async throws(ReactorError) -> PersistedToken in
          _ = try await lock.publish(parser.encode(token) + [0x0A], destination.provenance)
          return token
        }))
  }

  private static let largest = 1 << 16

  /// Returns the persisted token; nil when there is none for the configured token.
  func read(configured: String) async throws(ReactorError) -> String? {
    switch try await persistence.load(for: resource) {
    case .hit(let persisted): persisted.belongs(to: configured) ? persisted.token : nil
    case .miss(.unreadable(let reason)): throw .persistence(reason, path: shown)
    case .miss: nil
    }
  }

  /// Persists the token that replaces the configured token.
  ///
  /// When this function returns, the token is on the storage medium.
  func write(_ token: String, configured: String) async throws(ReactorError) {
    do throws(ReactorError) {
      _ = try await persistence.save(PersistedToken(token, configured: configured), for: resource)
    } catch {
      var error = error
      error.message += "; the server has replaced the refresh token, and the new one could not be persisted"
      throw error
    }
  }

  /// Releases the lock.
  func release() { lock.release() }
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
    guard try json.integerField("v") == 1 else { throw MappedError("expected version 1").inside("v") }
    let token = try json.stringField("refresh_token")
    guard !token.isEmpty else { throw MappedError("expected a token, found an empty string").inside("refresh_token") }
    return PersistedToken(token: token, digest: try json.stringField("configured"))
  }

  func mapToJSON() -> JSONValue? {
    .object(["v": .integer(1), "refresh_token": .string(token), "configured": .string(digest)])
  }
}
