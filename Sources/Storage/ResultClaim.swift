public import ReactorCore

/// What a persisted result must be so that a flow may use it.
public struct ResultClaim: Sendable {
  let root: OutputRoot
  let path: OutputPath
  let resource: UInt64
  let schema: UInt64
  let expiresAfter: Duration?
  let isIncremental: Bool
  let wallClock: WallClock

  /// A claim on the result at a path.
  ///
  /// - Parameters:
  ///   - resource: digest of what the result belongs to
  ///   - schema: fingerprint of the schema that it was mapped with
  ///   - expiresAfter: how long it may be used; nil for no limit
  ///   - isIncremental: whether the flow asks for what is new in each run, unless it says how long a result may be used
  public init(
    root: OutputRoot, path: OutputPath, resource: UInt64, schema: UInt64, expiresAfter: Duration?,
    isIncremental: Bool = false, wallClock: WallClock
  ) {
    self.root = root
    self.path = path
    self.resource = resource
    self.schema = schema
    self.expiresAfter = expiresAfter
    self.isIncremental = isIncremental
    self.wallClock = wallClock
  }

  /// What is under the path, read and compared with its stamp.
  public func look() async throws(ReactorError) -> StoredLook<PersistenceMiss> {
    try await root.look(at: path) { (stamp) -> PersistenceMiss? in
      if stamp.provenance.resource != resource { return .otherResource }
      if stamp.provenance.schema != schema { return .schemaChanged }
      if isFresh(stamp) { return nil }
      return expiresAfter == nil && isIncremental ? .incremental : .expired
    }
  }

  /// Dated in the future means that a clock was wrong: such a result counts as expired.
  private func isFresh(_ stamp: Stamp) -> Bool {
    let age = wallClock.milliseconds - stamp.provenance.writtenAt
    guard age >= 0 else { return false }
    return expiresAfter.map { .milliseconds(age) < $0 } ?? !isIncremental
  }
}
