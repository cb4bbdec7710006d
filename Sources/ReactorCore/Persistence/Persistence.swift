/// Persists the results of a flow between runs, by resource.
public protocol Persistence<Model>: Sendable {
  /// The type of the results.
  associatedtype Model: Sendable

  /// The persisted result, or why none may be used. Throws only when the work was cancelled.
  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model>

  /// Persists the model; returns what was persisted. After an error the previous result is untouched.
  func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model
}

/// The outcome of a load.
public enum PersistenceRead<Model: Sendable>: Sendable {
  /// A result that may be used.
  case hit(Model)
  /// None, and why.
  case miss(PersistenceMiss)
}

/// Why a persisted result was not used; the flow then asks the network.
public enum PersistenceMiss: Sendable, Hashable, CustomStringConvertible {
  /// Nothing is there.
  case absent
  /// It is older than allowed, or dated in the future.
  case expired
  /// The flow asks for new records in each run.
  case incremental
  /// It was written for another resource, or by a flow that was changed since.
  case otherResource
  /// It was written with another schema.
  case schemaChanged
  /// It cannot be read, or is damaged.
  case unreadable(String)
  /// The flow persists nothing.
  case disabled
  /// The caller asked for the network.
  case skipped

  /// In words, for a report.
  public var description: String {
    switch self {
    case .absent: "nothing persisted yet"
    case .expired: "the persisted result has expired"
    case .incremental: "the flow asks for what is new in each run"
    case .otherResource: "the persisted result belongs to another request, or the flow was changed since"
    case .schemaChanged: "the schema has changed since it was persisted"
    case .unreadable(let reason): "the persisted result cannot be read: \(reason)"
    case .disabled: "persistence is disabled"
    case .skipped: "not asked"
    }
  }
}
