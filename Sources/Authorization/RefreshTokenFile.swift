internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// Persists the newest single-use refresh token in `.reactor/auth/NAME.json` below a root.
///
/// The file holds the token itself, so the folder and the file belong to their owner alone (modes 0700 and 0600). Storage
/// replaces it whole. A token is lost when the process or the machine dies after the server has sent it and before it is
/// persisted, or when the disk refuses it: the server then no longer takes the old one. A persisted token goes before the
/// configured one for as long as that stays the same.
public struct RefreshTokenFile: Sendable {
  /// The path for messages.
  public let shown: String
  private let root: OutputRoot
  private let path: OutputPath

  /// A file below a root; nothing is opened.
  ///
  /// - Parameters:
  ///   - root: the output root
  ///   - name: a file name without extension, of letters, digits, `.` and `-`
  public init(root: String, name: String) {
    // Others cannot replace what lies in a folder of the owner alone.
    self.root = OutputRoot(path: root, allowsSharedFolders: true, isPrivate: true, threads: 1)
    path = .state("\(name).json", in: "auth")
    let prefix = root.isEmpty || root == "." ? "" : root.hasSuffix("/") ? root : root + "/"
    shown = prefix + path.text
  }

  /// A name that tells clients and their configured tokens apart: the server's host and a digest.
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

  /// Takes the right to renew the token; waits at most a minute for another process that has it.
  func lock() async throws(ReactorError) -> LockedTokenFile {
    for _ in 0..<1200 {
      if let lock = try await root.lockIfFree(path) { return LockedTokenFile(lock, root: root, shown: shown) }
      try await Delay.real.wait(.milliseconds(50))
    }
    throw .persistence("another process has been renewing the token of \(shown) for a minute", path: shown)
  }
}

/// The file while nobody else may renew its token.
struct LockedTokenFile: Sendable {
  private let lock: PathLock
  private let shown: String
  private let persistence: any Persistence<PersistedToken>
  /// The file belongs to no resource of the API: its name says whose token it holds.
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
            // Without the parser's words, which may quote the token.
            throw .persistence("\(shown) is damaged (remove it to begin with the configured refresh token again)")
          }
        },
        publish: { (token, destination) async throws(ReactorError) -> PersistedToken in
          _ = try await lock.publish(parser.encode(token) + [0x0A], destination.provenance)
          return token
        }))
  }

  private static let largest = 1 << 16

  /// The persisted token; nil when there is none for the configured one.
  func read(configured: String) async throws(ReactorError) -> String? {
    switch try await persistence.load(for: resource) {
    case .hit(let persisted): persisted.belongs(to: configured) ? persisted.token : nil
    case .miss(.unreadable(let reason)): throw .persistence(reason, path: shown)
    case .miss: nil
    }
  }

  /// Persists a token for the configured one; it is on the medium when this returns.
  func write(_ token: String, configured: String) async throws(ReactorError) {
    do throws(ReactorError) {
      _ = try await persistence.save(PersistedToken(token, configured: configured), for: resource)
    } catch {
      var error = error
      error.message += "; the server has replaced the refresh token, and the new one could not be persisted"
      throw error
    }
  }

  /// Gives the right to renew the token back.
  func release() { lock.release() }
}

/// A refresh token and the digest of the configured one that it replaces.
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
