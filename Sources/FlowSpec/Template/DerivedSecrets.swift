internal import Synchronization

/// The texts that expressions made of secrets. What is made of a secret is a secret.
public final class DerivedSecrets: Sendable {
  /// The least length, in bytes: shorter texts, such as `true` or a number, would be found everywhere.
  private static let shortest = 6

  private let texts = Mutex<Set<String>>([])

  /// Creates an empty set.
  public init() {}

  /// Adds a text; a short one is ignored.
  func add(_ text: String) {
    guard text.utf8.count >= Self.shortest else { return }
    texts.withLock { _ = $0.insert(text) }
  }

  /// All texts so far, sorted.
  public var all: [String] { texts.withLock { $0.sorted() } }
}
