internal import ByteCodings
internal import Synchronization

/// The values of all secrets of a run, including the secrets that the run obtains later.
///
/// An added secret is masked in all output. A URL that contains it is sent to no other origin.
public final class KnownSecrets: Sendable {
  /// The minimum length of a secret for the search in URLs, in bytes. A shorter secret would be found in too many URLs.
  public static let shortest = 4

  /// The maximum number of secrets of single requests that are remembered.
  private static let mostPassing = 64

  private let texts = Mutex<Set<String>>([])
  private let latest = Mutex<[String]>([])
  private let observer: @Sendable (String) -> Void
  private let succession: @Sendable (String, String) -> Void

  /// Creates a set without secrets.
  ///
  /// - Parameters:
  ///   - observer: called with each new secret before `add` returns; the secret is therefore masked before it is used.
  ///     Called again if a secret is added twice at the same time.
  ///   - succession: called before the observer, with a new secret and the configured secret that it replaces
  public init(
    observer: @escaping @Sendable (String) -> Void = { _ in },
    succession: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) {
    self.observer = observer
    self.succession = succession
  }

  /// Adds a secret; an empty text is ignored.
  ///
  /// - Parameter configured: the configured secret that the new one replaces, such as a single-use token
  public func add(_ text: String, inPlaceOf configured: String? = nil) {
    guard !text.isEmpty, texts.withLock({ !$0.contains(text) }) else { return }
    if let configured { succession(text, configured) }
    observer(text)
    // Last: whoever adds the same text at the same time must not return before the observer has it.
    texts.withLock { _ = $0.insert(text) }
  }

  /// Adds secrets of a single request, such as its signature. They are forgotten when many later ones were added.
  package func addPassing(_ secrets: [String]) {
    guard !secrets.isEmpty else { return }
    latest.withLock { latest in
      for secret in secrets where !latest.contains(secret) { latest.append(secret) }
      latest.removeFirst(max(0, latest.count - Self.mostPassing))
    }
  }

  /// The secrets that `addPassing` added for the latest requests.
  package var passing: [String] { latest.withLock { $0 } }

  /// Returns whether the condition is true for at least one secret.
  public func contains(where condition: (String) -> Bool) -> Bool {
    texts.withLock { $0.contains(where: condition) } || passing.contains(where: condition)
  }

  /// Returns whether a text contains one of the secrets. Shorter ones than `shortest` are not looked for.
  package func isIn(text: String) -> Bool { contains { $0.utf8.count >= Self.shortest && text.contains($0) } }

  /// Returns whether a URL contains one of the secrets, plain or percent-encoded.
  public func isIn(url: String) -> Bool {
    let written = Array(url.utf8)
    let decoded = PercentCoding.decode(written[...].replacing([UInt8(ascii: "+")], with: [UInt8(ascii: " ")]))
    return contains { text in
      let bytes = Array(text.utf8)
      return bytes.count >= KnownSecrets.shortest
        && (written.firstRange(of: bytes) != nil || decoded.firstRange(of: bytes) != nil)
    }
  }
}

extension KnownSecrets: Hashable {
  /// Compares by identity.
  public static func == (left: KnownSecrets, right: KnownSecrets) -> Bool { left === right }

  /// Hashes by identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
