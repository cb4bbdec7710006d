/// The sources from which a run is allowed to take its result.
public enum FetchMode: String, Sendable, Hashable, CaseIterable {
  /// Use the persisted result if it is usable, else the network (`fetch`).
  case persistenceFirst
  /// Use the persisted result, whatever its age, if the server responds "not modified"; else use the network.
  case revalidate
  /// Use only the network (`fetchFromNetwork`). The request is not conditional: the validators of a persisted result
  /// are not sent.
  case fresh
  /// Use only the persisted result. An expired result is not used.
  case offline
}
