internal import ReactorCore
internal import Storage

/// What a flow's persisted result must be so that the flow may be answered with it.
struct ResultClaim: Sendable {
  let root: OutputRoot
  let path: OutputPath
  /// What the result belongs to, hashed.
  let resourceKey: UInt64
  /// The fingerprint of the schema that it was mapped with.
  let schema: UInt64
  /// Seconds for which it may be used; nil is for ever.
  let expiresAfter: Double?
  /// Whether the flow asks for what is new each time it runs, unless it says how long a result may be used.
  var isIncremental = false
  let wallClock: WallClock

  /// What lies under the path, read and compared with its stamp.
  func look() async throws(ReactorError) -> StoredLook<PersistenceMiss> {
    try await root.look(at: path) { (stamp) -> PersistenceMiss? in
      if stamp.provenance.resource != resourceKey { return .otherResource }
      if stamp.provenance.schema != schema { return .schemaChanged }
      if isFresh(stamp) { return nil }
      return expiresAfter == nil && isIncremental ? .incremental : .expired
    }
  }

  /// Dated in the future means that a clock was wrong: such a result counts as expired.
  private func isFresh(_ stamp: Stamp) -> Bool {
    let age = wallClock.milliseconds - stamp.provenance.writtenAt
    guard age >= 0 else { return false }
    return expiresAfter.map { Double(age) < $0 * 1000 } ?? !isIncremental
  }
}
