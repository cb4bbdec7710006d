/// Where a fetched model came from.
public enum FetchSource: String, Sendable, Hashable, CaseIterable {
  /// It had been kept.
  case persistence
  /// It was asked of the server.
  case network
  /// It had been kept, and the server says that it is still right.
  case notModified = "not_modified"
}
