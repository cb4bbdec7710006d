internal import JSONSyntax
internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The file that keeps the newest single-use refresh token: `.reactor/auth/NAME.json` below the output root.
///
/// It holds the token itself, so that its folder and the file belong to their owner alone (modes 0700 and 0600). It is
/// replaced whole: temporary file, fsync, rename, fsync of the folder. What is lost is a token whose response was under
/// way when the process or the machine died, or whose file could not be written: then the server has replaced it, and
/// nobody has the new one. A kept token goes before the configured one for as long as that stays the same.
public struct RefreshTokenFile: Sendable {
  private static let largest = 1 << 16

  /// The path for messages.
  public let shown: String
  private let folder: StateFolder
  private let name: String

  /// A file below a root; nothing is opened.
  ///
  /// - Parameters:
  ///   - root: the output root
  ///   - name: a file name without extension, of letters, digits, `.` and `-`
  public init(root: String, name: String) {
    folder = StateFolder(root: root)
    self.name = name
    shown = "\(folder.shown)/\(name).json"
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

  /// Takes the right to renew the token; waits while another process has it, at most a minute.
  func lock() async throws(ReactorError) -> StateLock {
    for _ in 0..<1200 {
      if let lock = try folder.lock("\(name).lock") { return lock }
      do {
        try await Task.sleep(for: .milliseconds(50))
      } catch {
        throw .cancelled
      }
    }
    throw .persistence("another process has been renewing the token of \(shown) for a minute", path: shown)
  }

  /// The kept token; nil when there is none for the configured one.
  func read(configured: String) throws(ReactorError) -> String? {
    guard let bytes = try folder.read("\(name).json", upTo: Self.largest) else { return nil }
    guard let json = try? JSONValue(parsing: bytes), json["v"]?.int64 == 1, let digest = json["configured"]?.string,
      let token = json["refresh_token"]?.string, !token.isEmpty
    else {
      throw .persistence(
        "\(shown) is damaged (remove it to begin with the configured refresh token again)", path: shown)
    }
    return digest == Self.digest(of: configured) ? token : nil
  }

  /// Keeps a token for the configured one; it is on the medium when this returns.
  func write(_ token: String, configured: String) throws(ReactorError) {
    let json = JSONValue.object([
      "v": .integer(1), "refresh_token": .string(token), "configured": .string(Self.digest(of: configured)),
    ])
    do throws(ReactorError) {
      try folder.write(JSONWriter.bytes(json) + [0x0A], to: "\(name).json")
    } catch {
      var error = error
      error.message += "; the server has replaced the refresh token, and the new one could not be kept"
      throw error
    }
  }

  private static func digest(of token: String) -> String { CredentialIdentity(["configured", token]).text }
}
