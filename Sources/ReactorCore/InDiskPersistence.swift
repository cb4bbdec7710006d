internal import JSONSyntax

/// Keeps results on disk as JSON, by the model's own mapping.
///
/// A file holds the result with its date and the fingerprint of its resource, so that a result is never served for
/// another resource or after its time. It is written whole or not at all, and has reached the disk when `save` returns.
public struct InDiskPersistence<Model: Sendable>: Persistence {
  private let parser: Parser<Model>
  private let place: PersistencePlace
  private let scope: String
  private let expiresAfter: Duration?
  private let wallClock: WallClock

  /// A persistence at a place.
  ///
  /// - Parameter parser: maps both ways; its strictness is that of the network's parser, its limit that of the file.
  /// - Parameter scope: what else a result depends on, such as the base URL.
  /// - Parameter expiresAfter: how long a result is served; nil for ever.
  public init(
    parser: Parser<Model>, place: PersistencePlace, scope: String = "", expiresAfter: Duration? = nil,
    wallClock: WallClock = .system
  ) {
    self.parser = parser
    self.place = place
    self.scope = scope
    self.expiresAfter = expiresAfter
    self.wallClock = wallClock
  }

  /// A persistence in one file.
  public init(
    parser: Parser<Model>, path: String, scope: String = "", expiresAfter: Duration? = nil,
    wallClock: WallClock = .system
  ) {
    self.init(parser: parser, place: .file(path), scope: scope, expiresAfter: expiresAfter, wallClock: wallClock)
  }

  /// The kept result, or why there is none.
  @concurrent public func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    try ReactorError.checkCancellation()
    let kept: PersistedEnvelope
    switch read(resource) {
    case .success(let envelope): kept = envelope
    case .failure(let miss): return .miss(miss.reason)
    }
    if kept.resource != resource.fingerprint(scope: scope) { return .miss(.otherResource) }
    if let expiresAfter, !Freshness.isFresh(kept.savedAt, at: wallClock.sinceEpoch(), for: expiresAfter) {
      return .miss(.expired)
    }
    do throws(ReactorError) {
      let (model, report) = try parser.model(from: kept.model)
      if report.isWhollyRejected { return .miss(.unreadable("none of its records fits")) }
      return .hit(model)
    } catch {
      if error.kind == .cancelled { throw error }
      return .miss(.unreadable(error.description))
    }
  }

  /// Writes the model in place of what was there.
  @concurrent public func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model {
    try ReactorError.checkCancellation()
    let envelope = PersistedEnvelope(
      savedAt: wallClock.sinceEpoch(), resource: resource.fingerprint(scope: scope), model: try parser.json(of: model))
    try DurableFile(path: place.path(resource)).write(JSONWriter.bytes(envelope.json))
    return model
  }

  /// When the kept result was saved, as time since 1970-01-01T00:00:00Z; nil when none can be read.
  @concurrent public func savedAt(for resource: Resource) async -> Duration? {
    try? read(resource).get().savedAt
  }

  /// Whether there is no result young enough to serve: also true when there is none at all.
  @concurrent public func hasExpired(for resource: Resource) async -> Bool {
    guard let savedAt = await savedAt(for: resource) else { return true }
    guard let expiresAfter else { return false }
    return !Freshness.isFresh(savedAt, at: wallClock.sinceEpoch(), for: expiresAfter)
  }

  private struct Miss: Error {
    let reason: PersistenceMiss
  }

  private func read(_ resource: Resource) -> Result<PersistedEnvelope, Miss> {
    do throws(ReactorError) {
      // The envelope and escapes of a model that was once within the limit may make its file longer.
      let bytes = try DurableFile(path: place.path(resource)).read(upTo: max(parser.limit, 1 << 20) * 2)
      guard let bytes else { return .failure(Miss(reason: .absent)) }
      return .success(try PersistedEnvelope(parsing: bytes))
    } catch {
      return .failure(Miss(reason: .unreadable(error.message)))
    }
  }
}
