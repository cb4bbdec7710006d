internal import ByteCodings
internal import ReactorCore

/// A digest of declared credentials, from which no secret can be read back.
///
/// It stays the same when tokens are renewed and changes with the declared credentials. A result persisted under another
/// identity must not be asked for conditionally.
public struct CredentialIdentity: Sendable, Hashable {
  /// 64 hexadecimal digits; empty without credentials.
  public let text: String

  /// No credentials.
  public static let none = CredentialIdentity(text: "")

  /// Digests the parts of a declaration, in order; parts that are left out count as such.
  public init(_ parts: [String?]) {
    var message = Array("reactor credentials 1\n".utf8)
    for part in parts {
      // Lengths in front keep neighbouring texts apart.
      message += Array((part.map { "\($0.utf8.count):" } ?? "-:").utf8)
      message += Array((part ?? "").utf8)
    }
    text = SHA256Digest(of: message).hex
  }

  private init(text: String) { self.text = text }
}
