internal import ByteCodings
internal import Synchronization

/// The forms of secrets, worked out once for all recordings of a run: a thousand flows know the same few.
package final class EncodedSecrets: Sendable {
  private let known = Mutex<[String: [[UInt8]]]>([:])

  /// Nothing is worked out yet.
  package init() {}

  /// All forms of a secret that are long enough to search for.
  func all(of secret: String) -> [[UInt8]] {
    if let forms = known.withLock({ $0[secret] }) { return forms }
    let forms = SecretEncodings.all(of: secret).filter { $0.count >= SecretEncodings.shortest }
    known.withLock { $0[secret] = Array(forms) }
    return Array(forms)
  }
}
