/// The origin and the fetch time of a result, by which a later run decides whether it may be used.
public struct Provenance: Sendable, Hashable {
  /// The time of the fetch, in milliseconds since 1970 UTC.
  public var writtenAt: Int64
  /// The hash of the key of the result's resource.
  public var resource: UInt64
  /// The fingerprint of the schema with which the result was written.
  public var schema: UInt64
  /// The number of records in the file.
  public var recordCount: Int
  /// The number of rejected records, which did not match the schema.
  public var rejectedCount: Int
  /// The response's `ETag`, as sent. Not persisted when it is longer than 1,024 bytes.
  public var etag: String?
  /// The response's `Last-Modified`, as sent. Not persisted when it is longer than 1,024 bytes.
  public var lastModified: String?
  /// The cursor up to which the result is complete, in the notation of the flow that owns it.
  ///
  /// Not persisted when it is longer than 1,025 bytes.
  public var cursor: String?
  /// The digest of the credentials with which the result was requested. Nil without credentials.
  public var credentials: UInt64?
  /// The hash of the name of the run that wrote the result, if several processes take part in it; nil otherwise.
  public var run: UInt64?

  /// Creates a provenance.
  public init(
    writtenAt: Int64, resource: UInt64, schema: UInt64, recordCount: Int, rejectedCount: Int = 0,
    etag: String? = nil, lastModified: String? = nil, cursor: String? = nil, credentials: UInt64? = nil,
    run: UInt64? = nil
  ) {
    self.run = run
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
