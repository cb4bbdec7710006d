package import FlowTerms
internal import Storage

/// Where a flow's result and its rejected records are persisted, and what the result belongs to.
package struct ResultPlan: Sendable {
  /// Nil when nothing is persisted.
  package var output: RecordPath?
  /// Where rejected records go; nil when they are only reported.
  package var rejected: RecordPath?
  /// How long a result may be used, in seconds; nil is for ever.
  package var expiresAfter: Double?
  /// What becomes of the records that are there already.
  package var mode = PersistenceMode.replace
  /// Whether a failed save fails the flow.
  package var failsOnSaveError = true
  /// Whether the flow ends only when its result is saved.
  package var waits = true
  /// Whether an expired result is asked for with the validators of its response.
  package var isConditional = false
  /// What the result belongs to, hashed: everything that changes what is asked for or what is persisted.
  package var key: UInt64 = 0
  /// The same without that by which a result is judged: what a part of its records belongs to.
  package var recordsKey: UInt64 = 0

  package init() {}

  /// The hash of a result's identity.
  package static func key(of identity: String) -> UInt64 { ContentHash.of(identity.utf8) }
}
