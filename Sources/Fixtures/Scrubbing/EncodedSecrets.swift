internal import ByteCodings
internal import Synchronization

/// The encodings of secrets, computed once for all recordings of a run.
///
/// The flows of a run share the same few secrets, so the encodings need not be computed for each flow.
package final class EncodedSecrets: Sendable {
  private let known = Mutex<[String: [[UInt8]]]>([:])

  /// Creates an empty cache.
  package init() {}

  /// Returns all encodings of a secret that are long enough to search for.
  func all(of secret: String) -> [[UInt8]] {
    if let forms = known.withLock({ $0[secret] }) { return forms }
    let forms = SecretEncodings.all(of: secret).filter { $0.count >= SecretEncodings.shortest }
    known.withLock { $0[secret] = Array(forms) }
    return Array(forms)
  }
}
