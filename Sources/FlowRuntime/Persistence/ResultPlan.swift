package import FlowTerms
internal import Storage

/// The paths of a flow's result and rejected records, and the identity of the result.
package struct ResultPlan: Sendable {
  /// The place of the result; nil when it is not persisted.
  package var target: ResultTarget?
  /// Further places, which get the records of `target`.
  package var copies: [ResultTarget] = []
  /// The place of the rejected records; nil when they are only reported.
  package var rejected: ResultTarget?
  /// How long a result may be used, in seconds; nil for ever.
  package var expiresAfter: Double?
  /// How new records are joined with the records that are already persisted.
  package var mode = PersistenceMode.replace
  /// Whether only the last record of a key stays, in a file that is replaced.
  package var keepsLastOnly = false
  /// Whether a failed save fails the flow.
  package var failsOnSaveError = true
  /// Whether the flow waits until its result is saved.
  package var waits = true
  /// Whether an expired result is requested with the validators of its response.
  package var isConditional = false
  /// A hash of the result's identity: everything that changes the requests or the persisted records.
  package var key: UInt64 = 0
  /// A hash as `key`, without the expectations that check a whole result. It identifies parts of a result.
  package var recordsKey: UInt64 = 0

  package init() {}

  /// The path of the result; nil for a table, and when the result is not persisted.
  package var output: RecordPath? { if case .file(let path) = target { path } else { nil } }
  /// The table of the result; nil for a file, and when the result is not persisted.
  package var table: TablePlan? { if case .table(let table) = target { table } else { nil } }

  /// The hash of a result's identity.
  package static func key(of identity: String) -> UInt64 { ContentHash.of(identity.utf8) }
}
