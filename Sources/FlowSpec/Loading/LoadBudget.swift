internal import Synchronization

/// Limits what a set of flow files can expand to: a file of a few lines could need more memory than a machine has.
///
/// Each part is counted before it is created. All readers of one set share this object.
package final class LoadBudget: Sendable {
  /// The maximum number of flows that all `for` keys of the set generate together.
  package static let flows = 20_000
  /// The maximum total size of all texts that are filled in before a run, in bytes.
  package static let texts = 128 << 20

  private let flows: Atomic<Int>
  private let texts: Atomic<Int>

  /// Creates a budget with the full limits.
  package init() {
    flows = Atomic(Self.flows)
    texts = Atomic(Self.texts)
  }

  /// Counts the flows that a `for` generates; returns false when all `for` keys together exceed the limit.
  func takeFlows(_ count: Int) -> Bool { Self.take(count, from: flows) }

  /// Counts the bytes of a text that is filled in; returns false when all texts together exceed the limit.
  func takeText(_ bytes: Int) -> Bool { Self.take(bytes, from: texts) }

  private static func take(_ count: Int, from rest: borrowing Atomic<Int>) -> Bool {
    rest.wrappingSubtract(count, ordering: .relaxed).newValue >= 0
  }
}
