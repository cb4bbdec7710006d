internal import ByteCodings
internal import Synchronization

/// The credentials of a run by their value, those included that it obtains while it goes on.
///
/// What is added here is hidden in everything that is shown, and goes to no other origin in a URL. Copies of the
/// reference share what is known.
public final class KnownSecrets: Sendable {
  /// Bytes that a text must have to be looked for; shorter ones would be found everywhere.
  public static let shortest = 4

  private let texts = Mutex<Set<String>>([])
  private let observer: @Sendable (String) -> Void
  private let succession: @Sendable (String, String) -> Void

  /// Knows nothing yet.
  ///
  /// - Parameters:
  ///   - observer: is told each new secret before `add` returns, so that it is hidden before it is used
  ///   - succession: is told before that of a new secret that takes the place of a configured one, which comes second
  public init(
    observer: @escaping @Sendable (String) -> Void = { _ in },
    succession: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) {
    self.observer = observer
    self.succession = succession
  }

  /// Takes a secret; an empty one is none.
  ///
  /// - Parameter configured: in whose place it is used from now on: that of a single-use token, for one
  public func add(_ text: String, inPlaceOf configured: String? = nil) {
    guard !text.isEmpty, texts.withLock({ $0.insert(text).inserted }) else { return }
    if let configured { succession(text, configured) }
    observer(text)
  }

  /// Whether a condition holds for one of the secrets.
  public func contains(where condition: (String) -> Bool) -> Bool { texts.withLock { $0.contains(where: condition) } }

  /// Whether a URL holds one of the secrets, plain or percent-encoded.
  public func isIn(url: String) -> Bool {
    let written = Array(url.utf8)
    let decoded = PercentCoding.decode(written[...].replacing([UInt8(ascii: "+")], with: [UInt8(ascii: " ")]))
    return texts.withLock { texts in
      texts.contains { text in
        let bytes = Array(text.utf8)
        return bytes.count >= KnownSecrets.shortest
          && (written.firstRange(of: bytes) != nil || decoded.firstRange(of: bytes) != nil)
      }
    }
  }
}

extension KnownSecrets: Hashable {
  /// Equal when they are one and the same.
  public static func == (left: KnownSecrets, right: KnownSecrets) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
