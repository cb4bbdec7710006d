public import ReactorCore

/// Decides whether a persisted result may be used.
public struct ResultRules: Sendable {
  /// The digest that identifies the resource of a result.
  public let key: UInt64
  /// The fingerprint of the mapping.
  public let schema: UInt64
  /// How long a result may be used; nil for no limit.
  public let expiresAfter: Duration?
  /// Whether each run sends a request, so that a persisted result is never used instead; ignored with `expiresAfter`.
  public let asksEachRun: Bool
  private let wallClock: WallClock

  /// Creates the rules for the results of one resource.
  public init(
    key: UInt64, schema: UInt64, expiresAfter: Duration?, asksEachRun: Bool = false, wallClock: WallClock = .system
  ) {
    self.key = key
    self.schema = schema
    self.expiresAfter = expiresAfter
    self.asksEachRun = asksEachRun
    self.wallClock = wallClock
  }

  /// Why a result may not be used; nil when it may be used.
  public func miss(_ provenance: Provenance) -> PersistenceMiss? {
    if provenance.resource != key { return .otherResource }
    if provenance.schema != schema { return .schemaChanged }
    if isFresh(provenance) { return nil }
    return expiresAfter == nil && asksEachRun ? .askedEachRun : .expired
  }

  /// Whether a result has not expired.
  ///
  /// A fetch time in the future shows that a clock was wrong; such a result counts as expired.
  private func isFresh(_ provenance: Provenance) -> Bool {
    let age = wallClock.milliseconds(since: provenance.writtenAt)
    guard age >= 0 else { return false }
    return expiresAfter.map { .milliseconds(age) < $0 } ?? !asksEachRun
  }

  /// Returns when a result expires, in milliseconds since 1970. Nil when it never expires.
  public func expiry(of provenance: Provenance) -> Int64? {
    guard let expiresAfter else { return nil }
    let (seconds, attoseconds) = expiresAfter.components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    let lifetime = isTooLong ? Int64.max : whole + attoseconds / 1_000_000_000_000_000
    let (end, isTooLate) = provenance.writtenAt.addingReportingOverflow(lifetime)
    return isTooLate ? nil : end
  }
}
