/// Where a fetched model came from.
public enum FetchSource: String, Sendable, Hashable, CaseIterable {
  /// A persisted result.
  case persistence
  /// A response of the server.
  case network
  /// A persisted result that the server reports as not modified.
  case notModified = "not_modified"
}
