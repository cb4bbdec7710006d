/// Where a result came from and when: what a later run must know to decide whether it may still be used.
public struct Provenance: Sendable, Hashable {
  /// When it was fetched, in milliseconds since 1970 UTC.
  public var writtenAt: Int64
  /// Hash of the resource key it belongs to.
  public var resource: UInt64
  /// Fingerprint of the schema it was written with.
  public var schema: UInt64
  /// Records in the file.
  public var recordCount: Int
  /// Records that were dropped because they did not fit.
  public var rejectedCount: Int
  /// The response's `ETag`, as sent; persisted up to 1,024 bytes.
  public var etag: String?
  /// The response's `Last-Modified`, as sent; kept up to 1,024 bytes.
  public var lastModified: String?
  /// Up to where the result is complete, in its owner's words; persisted up to 1,025 bytes.
  public var cursor: String?
  /// Digest of the credentials that it was asked for with; nil without credentials.
  public var credentials: UInt64?

  /// Builds a provenance.
  public init(
    writtenAt: Int64, resource: UInt64, schema: UInt64, recordCount: Int, rejectedCount: Int = 0,
    etag: String? = nil, lastModified: String? = nil, cursor: String? = nil, credentials: UInt64? = nil
  ) {
    self.credentials = credentials
    self.writtenAt = writtenAt
    self.resource = resource
    self.schema = schema
    self.recordCount = recordCount
    self.rejectedCount = rejectedCount
    self.etag = etag
    self.lastModified = lastModified
    self.cursor = cursor
  }
}
