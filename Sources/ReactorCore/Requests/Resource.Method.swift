extension Resource {
  /// The request methods of upstream's `Method`.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE, TRACE, CONNECT
  }
}
