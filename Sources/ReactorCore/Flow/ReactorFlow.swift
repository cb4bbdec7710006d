/// A flow: three replaceable closures that a `Reactor` runs in order.
///
/// Only the network closure is required. By default the load always misses, and the save persists nothing and returns
/// the model unchanged. `createFlow` builds complete flows. The decorators (`mapNetwork`, `onLoadMiss`,
/// `persisting(in:)`, …) change one closure, and their callers need not write typed-throws closures.
public struct ReactorFlow<Model: Sendable>: Sendable {
  /// Sends the request and maps the response.
  public var networkFlow: @Sendable (Resource) async throws(ReactorError) -> Fetched<Model>
  /// Loads the persisted result.
  public var loadFromPersistenceFlow: @Sendable (Resource) async throws(ReactorError) -> PersistenceRead<Model>
  /// Persists a model and returns the model to deliver.
  public var saveToPersistenceFlow: @Sendable (Model, Resource) async throws(ReactorError) -> Model {
    didSet {
      persistsResults = true
      checkSave = nil
    }
  }
  /// Checks before the request whether a result can be saved, and throws if not. Nil when only the run of the save
  /// closure can show this.
  var checkSave: (@Sendable (Resource) async throws(ReactorError) -> Void)?
  /// Whether the flow has a save closure. Without one, nothing is saved and nothing is reported as saved.
  public private(set) var persistsResults: Bool

  /// Builds a flow from its closures.
  ///
  /// - Parameter loadFromPersistenceFlow: nil for a load that always misses.
  /// - Parameter saveToPersistenceFlow: nil for a flow that persists nothing.
  public init(
    networkFlow: @escaping @Sendable (Resource) async throws(ReactorError) -> Fetched<Model>,
    loadFromPersistenceFlow: (@Sendable (Resource) async throws(ReactorError) -> PersistenceRead<Model>)? = nil,
    saveToPersistenceFlow: (@Sendable (Model, Resource) async throws(ReactorError) -> Model)? = nil
  ) {
    self.networkFlow = networkFlow
    // Not `??`: the compiler crashes on a typed-throws closure inside its autoclosure (Swift 6.3).
    if let loadFromPersistenceFlow {
      self.loadFromPersistenceFlow = loadFromPersistenceFlow
    } else {
      self.loadFromPersistenceFlow = { (_) async throws(ReactorError) -> PersistenceRead<Model> in .miss(.disabled) }
    }
    if let saveToPersistenceFlow {
      self.saveToPersistenceFlow = saveToPersistenceFlow
    } else {
      self.saveToPersistenceFlow = { (model, _) async throws(ReactorError) -> Model in model }
    }
    self.persistsResults = saveToPersistenceFlow != nil
  }

  /// Builds a flow from a closure that returns the model.
  ///
  /// An error that is not a `ReactorError` becomes `.server`.
  public init(network: @escaping @Sendable (Resource) async throws -> Model) {
    self.init(networkFlow: { (resource) async throws(ReactorError) -> Fetched<Model> in
      do {
        return Fetched(try await network(resource))
      } catch {
        throw ReactorError(error, as: .server)
      }
    })
  }

  /// The same flow without persistence.
  public func withoutPersistence() -> ReactorFlow { ReactorFlow(networkFlow: networkFlow) }

  /// The same flow with the given persistence.
  public func persisting(in persistence: some Persistence<Model>) -> ReactorFlow {
    var flow = ReactorFlow(
      networkFlow: networkFlow,
      loadFromPersistenceFlow: { (resource) async throws(ReactorError) -> PersistenceRead<Model> in
        try await persistence.load(for: resource)
      },
      saveToPersistenceFlow: { (model, resource) async throws(ReactorError) -> Model in
        try await persistence.save(model, for: resource)
      })
    flow.checkSave = { (resource) async throws(ReactorError) in try await persistence.checkSave(for: resource) }
    return flow
  }

  /// The same flow with another save closure that saves to the same location.
  func decoratingSave(
    _ save: @escaping @Sendable (Model, Resource) async throws(ReactorError) -> Model
  ) -> ReactorFlow {
    var flow = self
    flow.saveToPersistenceFlow = save
    flow.checkSave = checkSave
    return flow
  }
}
