public import ReactorCore

internal import Synchronization

/// A persistence that does as told and notes what it was given.
public final class StubPersistence<Model: Sendable>: Persistence {
  private let read: @Sendable () async throws -> PersistenceRead<Model>
  private let write: @Sendable (Model) async throws -> Model
  private let written = Mutex<[Model]>([])
  private let questions = Mutex(0)

  /// The models that were to be saved, failures included.
  public var saves: [Model] { written.withLock { $0 } }
  /// How often it was asked to load.
  public var loads: Int { questions.withLock { $0 } }

  /// Loads and saves by the rules given.
  public init(
    load: @escaping @Sendable () async throws -> PersistenceRead<Model> = { .miss(.absent) },
    save: @escaping @Sendable (Model) async throws -> Model = { $0 }
  ) {
    read = load
    write = save
  }

  /// Finds nothing and fails every save.
  public convenience init(failingSaves error: ReactorError) {
    self.init(save: { _ in throw error })
  }

  /// Loads by the rule.
  public func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    questions.withLock { $0 += 1 }
    do {
      return try await read()
    } catch {
      throw ReactorError(error, as: .persistence)
    }
  }

  /// Notes the model and saves by the rule.
  public func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model {
    written.withLock { $0.append(model) }
    do {
      return try await write(model)
    } catch {
      throw ReactorError(error, as: .persistence)
    }
  }
}
