internal import ByteCodings
internal import ReactorCore

/// A digest of declared credentials, from which no secret can be recovered.
///
/// It does not change when tokens are renewed. It changes when the declared credentials change. A result that was
/// persisted under another identity must not be used for a conditional request.
public struct CredentialIdentity: Sendable, Hashable {
  /// 64 hexadecimal digits; empty without credentials.
  public let text: String

  /// The identity without credentials.
  public static let none = CredentialIdentity(text: "")

  /// Creates the digest of the parts of a declaration, in order; parts that are nil are included too.
  public init(_ parts: [String?]) {
    var message = Array("reactor credentials 1\n".utf8)
    for part in parts {
      // The length before each part makes the message unambiguous, so neighbouring texts cannot be confused.
      message += Array((part.map { "\($0.utf8.count):" } ?? "-:").utf8)
      message += Array((part ?? "").utf8)
    }
    text = SHA256Digest(of: message).hex
  }

  private init(text: String) { self.text = text }
}
