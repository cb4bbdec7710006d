public import ReactorCore

extension HTTPClient: ConnectionProvider {
  /// Creates a connection with the default options. If the base URL is malformed, each request of the connection fails.
  public func connection(baseURL: String) -> any Connection {
    do throws(ReactorError) {
      return try HTTPConnection(baseURL: baseURL, client: self)
    } catch {
      return FailingConnection(baseURL: baseURL, error: error)
    }
  }
}

/// Replaces a connection that could not be created: each request throws the reason.
private struct FailingConnection: Connection {
  let baseURL: String
  let error: ReactorError

  func response(for resource: Resource) async throws(ReactorError) -> Response { throw error }
}
