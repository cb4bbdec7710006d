public import ReactorCore
internal import Records
internal import Storage
internal import TimeSyntax

/// What a flow would find persisted if it ran now; nobody is asked and nothing is written.
public struct PersistenceLookup: Sendable, Hashable {
  /// Why the persisted result would not be used; nil when it would.
  public var miss: PersistenceMiss?
  /// Records in the persisted result, when there is one for this flow.
  public var records: Int?
  /// When it was fetched, in milliseconds since 1970.
  public var writtenAt: Int64?
  /// From when on it is not used any more, in milliseconds since 1970; nil is never.
  public var expiresAt: Int64?

  /// From where on a flow with a cursor would ask, in words; nil for one without.
  public var bound: String?

  /// Says why nothing would be used.
  public init(miss: PersistenceMiss?) { self.miss = miss }

  /// What a persistence has of a resource.
  init(of resource: Resource, in persistence: InDiskPersistence<RecordSet>) async {
    self.init(miss: .absent)
    do throws(ReactorError) {
      if case .miss(let miss) = try await persistence.load(for: resource) { self.miss = miss } else { miss = nil }
      guard let stamp = try await persistence.stamp(for: resource) else { return }
      records = stamp.provenance.recordCount
      writtenAt = stamp.provenance.writtenAt
      expiresAt = persistence.expiry(of: stamp)
    } catch {
      miss = .unreadable(error.message)
    }
  }

  /// In words, with times in UTC: `12 records of 2026-11-21T06:00:00Z, used until 2026-11-21T07:00:00Z`.
  public var description: String {
    guard let writtenAt, let records else { return miss?.description ?? "nothing is known" }
    let persisted = "\(records) record\(records == 1 ? "" : "s") of \(Self.time(writtenAt))"
    guard let miss else { return persisted + (expiresAt.map { ", used until \(Self.time($0))" } ?? ", used for ever") }
    guard miss == .expired, let expiresAt else { return "\(miss.description): \(persisted)" }
    return "\(miss.description): \(persisted), expired at \(Self.time(expiresAt))"
  }

  /// RFC 3339 in UTC, to the second.
  public static func time(_ milliseconds: Int64) -> String {
    // Rounded down; a stamp far outside of the calendar is damaged, and its text need only be harmless.
    InstantText.text(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
  }
}
