public import FlowTerms
public import SourceDiagnostics

/// A flow that asks once for each of some records or values: one partition for each combination, in order.
///
/// A combination takes one record of every parent; the last parent varies fastest. Without a flow among the parents all
/// combinations are known before the run.
public struct EachDeclaration: Sendable {
  /// What becomes of a flow when a partition fails.
  public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
    /// The partition is left out and reported; the others go on. A flow whose partitions all fail has failed.
    case skip
    /// The flow fails with the first.
    case fail
  }

  /// How many partitions may be under way at once unless the flow says otherwise.
  public static let defaultConcurrency = 4
  /// Names that mean something else in expressions, so that no parent may bear them.
  public static let reservedNames: Set<String> = [
    "vars", "secrets", "env", "record", "response", "page", "cursor", "result", "true", "false", "null", "in",
  ]

  /// Where it stands.
  public var range: SourceRange
  /// What is combined, at least one; more than one is a product.
  public var parents: [EachParent]
  /// The most partitions under way at once, at least 1; the order of the result does not depend on it.
  public var concurrency: Int
  /// What becomes of the flow when a partition fails.
  public var onError: FailurePolicy
  /// How many partitions, or records of batches, may fail with `skip`; nil where the flow does not say.
  public var maxFailed: CountOrShare?
  /// How many of the records one request is for; nil for one. Only with a single parent.
  public var batch: BatchDeclaration?

  /// Fields that every record gets, in the order written; their templates may use the parents. Only without a schema.
  public var add: [(name: Located<String>, value: Located<TemplatedJSON>)]

  /// Builds a declaration.
  public init(
    range: SourceRange, parents: [EachParent], concurrency: Int = EachDeclaration.defaultConcurrency,
    onError: FailurePolicy = .skip, maxFailed: CountOrShare? = nil, batch: BatchDeclaration? = nil,
    add: [(name: Located<String>, value: Located<TemplatedJSON>)] = []
  ) {
    self.add = add
    self.range = range
    self.parents = parents
    self.concurrency = concurrency
    self.onError = onError
    self.maxFailed = maxFailed
    self.batch = batch
  }

  /// The names under which templates find the parents' records, one for each parent.
  public var names: [String] { parents.map(\.name.value) }

  /// Whether some of the parents are asked for only where they are new or changed.
  public var asksOnlyChanged: Bool { parents.contains { $0.onlyChanged != nil } }

  /// The ids of the flows among the parents, where they were named.
  public var flows: [Located<String>] {
    parents.compactMap { if case .flow(let id) = $0.source { id } else { nil } }
  }
}
