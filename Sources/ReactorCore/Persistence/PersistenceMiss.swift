/// Why a persisted result was not used; the flow goes to the network.
public enum PersistenceMiss: Sendable, Hashable, CustomStringConvertible {
  /// Nothing is there.
  case absent
  /// It is older than allowed, or dated in the future.
  case expired
  /// It is there, and the flow asks for what is new in each run.
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
