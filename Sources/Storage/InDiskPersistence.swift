public import ReactorCore

/// Persists results in files below a root. Files are replaced atomically, stamped and locked.
///
/// Each file holds one resource's result, and its stamp identifies that resource. A result is never used for another
/// resource, after its expiry, or after another program changed the file. `save` returns when the file has the
/// durability that the root requires. After an error the previous result is intact.
public struct InDiskPersistence<Model: Sendable>: Persistence {
  /// The file format: how a model is written to a file and read back.
  public struct Form: Sendable {
    /// The fingerprint of the mapping. A result that was written with another mapping is a miss.
    public let schema: UInt64
    /// Whether the content itself identifies its resource, so that the file needs no stamp.
    public let isSelfContained: Bool
    let read: @Sendable (StoredFile, Stamp, OutputPath) async throws(ReactorError) -> Model
    let publish: @Sendable (Model, Destination) async throws(ReactorError) -> Model
    /// Throws when no model can be published at a path; nil if only `publish` can find this out.
    var check: (@Sendable (OutputPath, OutputRoot) async throws(ReactorError) -> Void)?

    /// Creates a file format.
    ///
    /// - Parameters:
    ///   - isSelfContained: whether the content itself identifies its resource; then each file is used, even
    ///     without a stamp and whatever its age
    ///   - read: reads a file whose content matches its stamp; an error is a miss (`unreadable`)
    ///   - publish: publishes the model and returns the model that the flow delivers
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

  /// The location and provenance of a result that is to be published.
  public struct Destination: Sendable {
    /// The root of the path.
    public let root: OutputRoot
    /// The path.
    public let path: OutputPath
    /// The result's resource and the time of its fetch. The file format adds the counts.
    public let provenance: Provenance
  }

  private let root: OutputRoot
  private let path: @Sendable (Resource) -> OutputPath
  private let key: @Sendable (Resource) -> UInt64
  private let form: Form
  private let expiresAfter: Duration?
  private let asksEachRun: Bool
  private let credentials: UInt64?
  private let wallClock: WallClock

  /// Creates a persistence with any file format.
  ///
  /// - Parameters:
  ///   - path: the file of a resource. If several resources share a file, it contains the result that was saved last.
  ///   - key: a digest that identifies the resource of a result
  ///   - expiresAfter: how long a result is used; nil for no limit
  ///   - asksEachRun: whether each run sends a request, so that a persisted result is never used instead; ignored when
  ///     `expiresAfter` is set
  ///   - credentials: the digest of the credentials of the requests
  public init(
    root: OutputRoot, path: @escaping @Sendable (Resource) -> OutputPath,
    key: @escaping @Sendable (Resource) -> UInt64, form: Form, expiresAfter: Duration? = nil,
    asksEachRun: Bool = false, credentials: UInt64? = nil, wallClock: WallClock = .system
  ) {
    self.root = root
    self.path = path
    self.key = key
    self.form = form
    self.expiresAfter = expiresAfter
    self.asksEachRun = asksEachRun
    self.credentials = credentials
    self.wallClock = wallClock
  }

  /// Returns the persisted result of a resource, or the reason why no result can be used.
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
      let found = try await root.lookUp(path) { (stamp) -> PersistenceMiss? in
        rules(key).miss(stamp.provenance)
      }
      switch found {
      case .absent: return .miss(.absent)
      case .unknown: return .miss(.unreadable("it is unknown which request \(path) belongs to"))
      case .refused(let reason): return .miss(reason)
      case .changed: return .miss(.unreadable("\(path) was changed after it was written"))
      case .intact(let file, let stamp): return .hit(try await form.read(file, stamp, path))
      }
    } catch {
      if error.kind == .cancelled { throw error }
      return .miss(.unreadable(error.description))
    }
  }

  private func rules(_ key: UInt64) -> ResultRules {
    ResultRules(
      key: key, schema: form.schema, expiresAfter: expiresAfter, asksEachRun: asksEachRun, wallClock: wallClock)
  }

  /// Publishes the model and replaces the previous result.
  @concurrent public func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model {
    try ReactorError.checkCancellation()
    let provenance = Provenance(
      writtenAt: wallClock.milliseconds, resource: key(resource), schema: form.schema, recordCount: 0,
      credentials: credentials)
    return try await form.publish(model, Destination(root: root, path: path(resource), provenance: provenance))
  }

  /// Throws when saving is impossible: the folder of the path cannot be created or written, or the path has another
  /// format.
  @concurrent public func checkSave(for resource: Resource) async throws(ReactorError) {
    try await form.check?(path(resource), root)
  }

  /// Returns the stamp of a resource's result, whatever its age. Nil when the file belongs to another resource.
  @concurrent public func stamp(for resource: Resource) async throws(ReactorError) -> Stamp? {
    guard let stamp = try await root.stamp(of: path(resource)), stamp.provenance.resource == key(resource) else {
      return nil
    }
    return stamp
  }

  /// Whether the result may no longer be used. Also true when there is no result at all.
  @concurrent public func hasExpired(for resource: Resource) async -> Bool {
    guard case .hit = try? await load(for: resource) else { return true }
    return false
  }

  /// Returns when a result expires, in milliseconds since 1970. Nil when it never expires.
  public func expiry(of provenance: Provenance) -> Int64? { rules(provenance.resource).expiry(of: provenance) }
}
