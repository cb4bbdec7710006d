/// Retains results in memory, one per resource, until the process ends.
///
/// At most `capacity` results: the oldest one is removed first.
public actor InMemoryPersistence<Model: Sendable>: Persistence {
  private struct Entry {
    var model: Model
    var savedAt: Duration
    var order: Int
  }

  private let expiresAfter: Duration?
  private let capacity: Int
  private let wallClock: WallClock
  private var entries: [String: Entry] = [:]
  private var next = 0

  /// An empty memory.
  ///
  /// - Parameter expiresAfter: how long a result is served; nil for ever.
  /// - Parameter capacity: how many results are retained, at least 1.
  public init(expiresAfter: Duration? = nil, capacity: Int = 1000, wallClock: WallClock = .system) {
    self.expiresAfter = expiresAfter
    self.capacity = max(capacity, 1)
    self.wallClock = wallClock
  }

  /// How many results are retained, expired ones included.
  public var count: Int { entries.count }

  /// All retained results, in the order in which they were saved.
  public var all: [Model] { entries.values.sorted { $0.order < $1.order }.map(\.model) }

  /// Forgets everything.
  public func removeAll() { entries = [:] }

  /// The retained result, or why there is none.
  public func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    try ReactorError.checkCancellation()
    guard let entry = entries[resource.fingerprint()] else { return .miss(.absent) }
    if let expiresAfter, !Freshness.isFresh(entry.savedAt, at: wallClock.sinceEpoch(), for: expiresAfter) {
      return .miss(.expired)
    }
    return .hit(entry.model)
  }

  /// Retains the model.
  public func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model {
    try ReactorError.checkCancellation()
    let key = resource.fingerprint()
    if entries[key] == nil, entries.count >= capacity, let oldest = entries.min(by: { $0.value.order < $1.value.order })
    {
      entries[oldest.key] = nil
    }
    entries[key] = Entry(model: model, savedAt: wallClock.sinceEpoch(), order: next)
    next += 1
    return model
  }
}

/// The age of a persisted result.
enum Freshness {
  /// Whether it may still be served. One dated in the future is not: its clock or ours was wrong.
  static func isFresh(_ savedAt: Duration, at now: Duration, for lifetime: Duration) -> Bool {
    savedAt <= now && now - savedAt < lifetime
  }
}
