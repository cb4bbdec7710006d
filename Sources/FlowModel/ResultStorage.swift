public import Expressions
public import SourceDiagnostics

/// How long a persisted result is used instead of a new request to the server.
public enum Lifetime: Sendable, Hashable {
  /// For this number of seconds after it was fetched.
  case seconds(Double)
  /// For ever.
  case unlimited
}

/// Where and how a flow's result and its rejected records are stored.
///
/// - `Target`: a file or table of records, with templates in a flow file, without them when it is resolved
public struct ResultStorage<Target: Sendable>: Sendable {
  /// The targets of the result, in the order written; empty when it is not persisted.
  ///
  /// A run writes the first target. After the run, the others contain the same records.
  public var targets: [Target]
  /// The target of rejected records, a file of JSON Lines or a table; nil when they are only reported.
  public var rejected: Target?
  /// How long a result is used instead of a new request to the server; nil means that each run sends requests.
  public var expiresAfter: Lifetime?
  /// How new records are joined with the records that are already persisted.
  public var mode = PersistenceMode.replace
  /// The condition, over the record as received, that is true for a deleted record.
  ///
  /// The keys of deleted records are removed from a merged result.
  public var deleteWhen: Located<Expression>?
  /// The source location of `duplicates: last`, which keeps only the last record of a key; nil if not declared.
  public var keepsLastOnly: SourceRange?
  /// Whether a failed save fails the flow.
  public var failsOnSaveError = true
  /// Whether the flow ends only after its result is saved.
  public var waits = true
  /// Whether the request for an expired result sends the validators of the previous response.
  public var isConditional = true

  /// Creates a storage whose result is replaced as a whole.
  public init(_ targets: [Target] = []) { self.targets = targets }

  /// The time for which a persisted result is used. Nil if it is used without a limit, and also if each run sends
  /// requests.
  public var lifetime: Duration? {
    if case .seconds(let seconds)? = expiresAfter { .seconds(seconds) } else { nil }
  }

  /// The first target of the result; nil when it is not persisted.
  public var target: Target? { targets.first }
  /// The targets of the result after the first one.
  public var copies: ArraySlice<Target> { targets.dropFirst() }

  /// A copy with the given targets, for example after the templates in them are filled in.
  public func with<Other: Sendable>(_ targets: [Other], rejected: Other?) -> ResultStorage<Other> {
    var storage = ResultStorage<Other>(targets)
    storage.rejected = rejected
    storage.expiresAfter = expiresAfter
    storage.mode = mode
    storage.deleteWhen = deleteWhen
    storage.keepsLastOnly = keepsLastOnly
    storage.failsOnSaveError = failsOnSaveError
    storage.waits = waits
    storage.isConditional = isConditional
    return storage
  }
}
