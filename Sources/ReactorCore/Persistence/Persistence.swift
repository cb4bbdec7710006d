/// Keeps a flow's result between runs, keyed by the resource it belongs to.
public protocol Persistence<Model>: Sendable {
  /// What is kept.
  associatedtype Model: Sendable

  /// The kept result, or why there is none that may be used. Throws only when the work was cancelled.
  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model>

  /// Keeps the model; returns what was kept. After an error the previous result is untouched.
  func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model
}
