internal import ByteCodings
internal import Synchronization

/// The secrets of a run by value, also those that it obtains later.
///
/// A secret that is added is hidden in all output and is sent to no other origin in a URL.
public final class KnownSecrets: Sendable {
  /// The minimum length of a secret that is searched for, in bytes: shorter ones would be found everywhere.
  public static let shortest = 4

  private let texts = Mutex<Set<String>>([])
  private let observer: @Sendable (String) -> Void
  private let succession: @Sendable (String, String) -> Void

  /// Begins without secrets.
  ///
  /// - Parameters:
  ///   - observer: called with each new secret before `add` returns, so it is hidden before it is used
  ///   - succession: called before the observer with a new secret and the configured one that it replaces
  public init(
    observer: @escaping @Sendable (String) -> Void = { _ in },
    succession: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) {
    self.observer = observer
    self.succession = succession
  }

  /// Adds a secret; an empty one is ignored.
  ///
  /// - Parameter configured: the secret that it replaces from now on, such as a single-use token
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
  /// By identity.
  public static func == (left: KnownSecrets, right: KnownSecrets) -> Bool { left === right }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
