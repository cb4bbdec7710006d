public import ReactorCore
internal import Records
internal import Storage
internal import TimeSyntax

/// The persisted result that a flow would find if it ran now. The lookup sends no request and writes nothing.
public struct PersistenceLookup: Sendable, Hashable {
  /// Why the persisted result would not be used; nil when it would be used.
  public var miss: PersistenceMiss?
  /// The number of records in this flow's persisted result; nil without a result.
  public var records: Int?
  /// When the result was fetched, in milliseconds since 1970.
  public var writtenAt: Int64?
  /// When the result expires, in milliseconds since 1970; nil for never.
  public var expiresAt: Int64?

  /// A description of the range that a flow with a cursor would request; nil without a cursor.
  public var bound: String?

  /// Creates a lookup without a result.
  public init(miss: PersistenceMiss?) { self.miss = miss }

  /// Looks up the result of a resource.
  init(of resource: Resource, in persistence: any ResultPersistence) async {
    self.init(miss: .absent)
    do throws(ReactorError) {
      if case .miss(let miss) = try await persistence.load(for: resource) { self.miss = miss } else { miss = nil }
      guard let provenance = try await persistence.provenance(for: resource) else { return }
      records = provenance.recordCount
      writtenAt = provenance.writtenAt
      expiresAt = persistence.expiry(of: provenance)
    } catch {
      miss = .unreadable(error.message)
    }
  }

  /// A description with times in UTC: `12 records of 2026-11-21T06:00:00Z, used until 2026-11-21T07:00:00Z`.
  public var description: String {
    guard let writtenAt, let records else { return miss?.description ?? "nothing is known about a persisted result" }
    let persisted = "\(records) record\(records == 1 ? "" : "s") of \(Self.time(writtenAt))"
    guard let miss else { return persisted + (expiresAt.map { ", used until \(Self.time($0))" } ?? ", used for ever") }
    guard miss == .expired, let expiresAt else { return "\(miss.description): \(persisted)" }
    return "\(miss.description): \(persisted), expired at \(Self.time(expiresAt))"
  }

  /// Formats a time as RFC 3339 in UTC, to the second.
  ///
  /// - Parameter milliseconds: the time, in milliseconds since 1970
  public static func time(_ milliseconds: Int64) -> String {
    // The time is rounded down. A time far outside of the calendar comes from a damaged stamp, and its text has no
    // meaning.
    InstantText.text(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
  }
}
