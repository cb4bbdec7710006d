/// Persists the results of a flow between runs, by resource.
public protocol Persistence<Model>: Sendable {
  /// The type of the results.
  associatedtype Model: Sendable

  /// The persisted result, or why none may be used. Throws only when the work was cancelled.
  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model>

  /// Persists the model; returns what was persisted. After an error the previous result is untouched.
  func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model
}
