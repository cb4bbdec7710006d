public import ReactorCore

extension HTTPClient: ConnectionProvider {
  /// A connection with the usual options; a malformed base URL fails each of its requests.
  public func connection(baseURL: String) -> any Connection {
    do throws(ReactorError) {
      return try HTTPConnection(baseURL: baseURL, client: self)
    } catch {
      return FailingConnection(baseURL: baseURL, error: error)
    }
  }
}

/// A connection that cannot be made: each request fails with the reason.
private struct FailingConnection: Connection {
  let baseURL: String
  let error: ReactorError

  func response(for resource: Resource) async throws(ReactorError) -> Response { throw error }
}
