public import ReactorCore

/// Persists results in files below a root: atomic, stamped and locked.
///
/// Each file holds one resource's result. Its stamp says which resource that is. A result is never used for another one,
/// nor after its time, nor after another program changed the file. `save` returns when the file is as durable as the root
/// asks for; after an error the previous result is intact.
public struct InDiskPersistence<Model: Sendable>: Persistence {
  /// How a model is written to a file and read back.
  public struct Form: Sendable {
    /// Fingerprint of the mapping: a result that was written with another one is a miss.
    public let schema: UInt64
    /// Whether the content itself says what it belongs to, so that no stamp is needed to use it.
    public let isSelfContained: Bool
    let read: @Sendable (StoredFile, Stamp, OutputPath) async throws(ReactorError) -> Model
    let publish: @Sendable (Model, Destination) async throws(ReactorError) -> Model

    /// A form.
    ///
    /// - Parameters:
    ///   - isSelfContained: whether the content itself says what it belongs to; then a file is used without its stamp
    ///     and without an age
    ///   - read: reads a file whose content matches its stamp; an error is a miss (`unreadable`)
    ///   - publish: publishes the model, returns what is delivered in its place
    public init(
      schema: UInt64, isSelfContained: Bool = false,
      read: @escaping @Sendable (StoredFile, Stamp, OutputPath) async throws(ReactorError) -> Model,
      publish: @escaping @Sendable (Model, Destination) async throws(ReactorError) -> Model
    ) {
      self.schema = schema
      self.isSelfContained = isSelfContained
      self.read = read
      self.publish = publish
    }
  }

  /// Where a result is to be published.
  public struct Destination: Sendable {
    /// The root of the path.
    public let root: OutputRoot
    /// The path.
    public let path: OutputPath
    /// What the result belongs to, and when it was fetched; the form adds the counts.
    public let provenance: Provenance
  }

  private let root: OutputRoot
  private let path: @Sendable (Resource) -> OutputPath
  private let key: @Sendable (Resource) -> UInt64
  private let form: Form
  private let expiresAfter: Duration?
  private let isIncremental: Bool
  private let credentials: UInt64?
  private let wallClock: WallClock

  /// A persistence of any form.
  ///
  /// - Parameters:
  ///   - path: the file of a resource. Several resources may share one: then the last saved one has it.
  ///   - key: a digest of what the result of a resource belongs to
  ///   - expiresAfter: how long a result is used; nil for no limit
  ///   - isIncremental: whether a result without `expiresAfter` is never used, because each run asks for what is new
  ///   - credentials: digest of the credentials that the requests bear
  public init(
    root: OutputRoot, path: @escaping @Sendable (Resource) -> OutputPath,
    key: @escaping @Sendable (Resource) -> UInt64, form: Form, expiresAfter: Duration? = nil,
    isIncremental: Bool = false, credentials: UInt64? = nil, wallClock: WallClock = .system
  ) {
    self.root = root
    self.path = path
    self.key = key
    self.form = form
    self.expiresAfter = expiresAfter
    self.isIncremental = isIncremental
    self.credentials = credentials
    self.wallClock = wallClock
  }

  /// The persisted result of a resource, or why none may be used.
  @concurrent public func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    try ReactorError.checkCancellation()
    let path = path(resource)
    do throws(ReactorError) {
      let key = key(resource)
      if form.isSelfContained {
        guard let file = try await root.open(path) else { return .miss(.absent) }
        let provenance = Provenance(writtenAt: 0, resource: key, schema: form.schema, recordCount: 0)
        let stamp = Stamp(size: file.size, hash: 0, isDurable: false, provenance: provenance)
        return .hit(try await form.read(file, stamp, path))
      }
      let found = try await root.look(at: path) { (stamp) -> PersistenceMiss? in
        if stamp.provenance.resource != key { return .otherResource }
        if stamp.provenance.schema != form.schema { return .schemaChanged }
        if isFresh(stamp) { return nil }
        return expiresAfter == nil && isIncremental ? .incremental : .expired
      }
      switch found {
      case .absent: return .miss(.absent)
      case .unknown: return .miss(.unreadable("nothing says what \(path) belongs to"))
      case .refused(let reason): return .miss(reason)
      case .changed: return .miss(.unreadable("\(path) was changed after it was written"))
      case .intact(let file, let stamp): return .hit(try await form.read(file, stamp, path))
      }
    } catch {
      if error.kind == .cancelled { throw error }
      return .miss(.unreadable(error.description))
    }
  }

  /// Dated in the future means that a clock was wrong: such a result counts as expired.
  private func isFresh(_ stamp: Stamp) -> Bool {
    let age = wallClock.milliseconds - stamp.provenance.writtenAt
    guard age >= 0 else { return false }
    return expiresAfter.map { .milliseconds(age) < $0 } ?? !isIncremental
  }

  /// Publishes the model in place of what was there.
  @concurrent public func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model {
    try ReactorError.checkCancellation()
    let provenance = Provenance(
      writtenAt: wallClock.milliseconds, resource: key(resource), schema: form.schema, recordCount: 0,
      credentials: credentials)
    return try await form.publish(model, Destination(root: root, path: path(resource), provenance: provenance))
  }

  /// The stamp of a resource's result, whatever its age; nil when the file belongs to something else.
  @concurrent public func stamp(for resource: Resource) async throws(ReactorError) -> Stamp? {
    guard let stamp = try await root.stamp(of: path(resource)), stamp.provenance.resource == key(resource) else {
      return nil
    }
    return stamp
  }

  /// Whether no result is young enough; also true without any result.
  @concurrent public func hasExpired(for resource: Resource) async -> Bool {
    guard case .hit = try? await load(for: resource) else { return true }
    return false
  }

  /// When a result expires that was written at a time, both in milliseconds since 1970; nil for never.
  public func expiry(of stamp: Stamp) -> Int64? {
    guard let expiresAfter else { return nil }
    let (seconds, attoseconds) = expiresAfter.components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    let lifetime = isTooLong ? Int64.max : whole + attoseconds / 1_000_000_000_000_000
    let (end, isTooLate) = stamp.provenance.writtenAt.addingReportingOverflow(lifetime)
    return isTooLate ? nil : end
  }
}
