/// Persists the results of a flow between runs, by resource.
public protocol Persistence<Model>: Sendable {
  /// The type of the results.
  associatedtype Model: Sendable

  /// Returns the persisted result, or the reason why none can be used. Throws only when the work was cancelled.
  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model>

  /// Persists the model and returns the persisted model. After an error, the previous result is unchanged.
  func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model

  /// Throws when no model could be saved, for example at an unusable path. Called before the request is sent.
  ///
  /// It changes no result. By default it never throws.
  func checkSave(for resource: Resource) async throws(ReactorError)
}

extension Persistence {
  /// Does nothing: saving is assumed to be possible.
  public func checkSave(for resource: Resource) async throws(ReactorError) {}
}

/// The outcome of a load.
public enum PersistenceRead<Model: Sendable>: Sendable {
  /// A result that may be used.
  case hit(Model)
  /// There is no usable result, for this reason.
  case miss(PersistenceMiss)
}

/// The reason why a persisted result was not used; the flow then sends a request.
public enum PersistenceMiss: Sendable, Hashable, CustomStringConvertible {
  /// There is no persisted result.
  case absent
  /// The result is older than allowed, or its date is in the future.
  case expired
  /// The flow sends a request in each run.
  case askedEachRun
  /// The server no longer knows the position from which the flow would continue.
  case positionUnknown
  /// An input file was changed after the result was fetched.
  case inputChanged(String)
  /// The result was written for another resource, or by a flow that has been changed since.
  case otherResource
  /// The result was written with another schema.
  case schemaChanged
  /// The result cannot be read, or is damaged.
  case unreadable(String)
  /// The flow persists nothing.
  case disabled
  /// The caller requested the network result.
  case skipped

  /// A description for reports.
  public var description: String {
    switch self {
    case .absent: "nothing persisted yet"
    case .expired: "the persisted result has expired"
    case .askedEachRun: "each run asks the server"
    case .positionUnknown: "the server no longer knows the position (410), so everything is requested again"
    case .inputChanged(let path): "the input \(path) may have changed since the result was persisted"
    case .otherResource: "the persisted result belongs to another request, or the flow was changed since"
    case .schemaChanged: "the schema has changed since the result was persisted"
    case .unreadable(let reason): "the persisted result cannot be read: \(reason)"
    case .disabled: "persistence is disabled"
    case .skipped: "a new result was requested"
    }
  }
}
