/// Retains results in memory, one per resource, until the process ends.
///
/// It retains at most `capacity` results. The oldest result is removed first.
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

  /// Creates a persistence without results.
  ///
  /// - Parameter expiresAfter: how long a result is served; nil for no limit.
  /// - Parameter capacity: how many results are retained, at least 1.
  public init(expiresAfter: Duration? = nil, capacity: Int = 1000, wallClock: WallClock = .system) {
    self.expiresAfter = expiresAfter
    self.capacity = max(capacity, 1)
    self.wallClock = wallClock
  }

  /// The number of retained results, including expired ones.
  public var count: Int { entries.count }

  /// All retained results, in the order in which they were saved.
  public var all: [Model] { entries.values.sorted { $0.order < $1.order }.map(\.model) }

  /// Removes all results.
  public func removeAll() { entries = [:] }

  /// Returns the retained result, or the reason why there is none.
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

/// Decides by the age of a persisted result whether it may still be used.
enum Freshness {
  /// Whether a result may still be served. A result with a date in the future may not: one of the clocks was wrong.
  static func isFresh(_ savedAt: Duration, at now: Duration, for lifetime: Duration) -> Bool {
    savedAt <= now && now - savedAt < lifetime
  }
}
