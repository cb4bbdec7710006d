internal import Synchronization

/// The texts that expressions computed from secrets. Such a text is a secret too.
public final class DerivedSecrets: Sendable {
  /// The minimum length, in bytes: shorter texts, such as `true` or a number, would be found in too many other texts.
  private static let shortest = 6

  private let texts = Mutex<Set<String>>([])

  /// Creates an empty set.
  public init() {}

  /// Adds the texts of an expression's value if it was computed from a secret. Short texts are left out.
  public func add(_ value: ExpressionValue, of expression: Expression) {
    guard expression.isMadeOfSecrets else { return }
    add(value)
  }

  private func add(_ value: ExpressionValue) {
    for element in value.elements ?? [] { add(element) }
    for member in value.members ?? [] { add(member.value) }
    if value.elements == nil, value.members == nil, let text = try? value.text(), text.utf8.count >= Self.shortest {
      texts.withLock { _ = $0.insert(text) }
    }
  }

  /// All texts so far, sorted.
  public var all: [String] { texts.withLock { $0.sorted() } }
}
