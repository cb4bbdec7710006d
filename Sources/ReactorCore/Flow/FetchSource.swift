/// The source of a fetched model.
public enum FetchSource: String, Sendable, Hashable, CaseIterable {
  /// A persisted result.
  case persistence
  /// A response of the server.
  case network
  /// A persisted result; the server has reported that it is not modified.
  case notModified = "not_modified"
}
