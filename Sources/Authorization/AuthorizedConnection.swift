public import ReactorCore

/// A connection whose requests have a credential.
///
/// It must directly wrap the connection to the origin that the credential is for. Retries and paging wrap this
/// connection, so each of their requests is authorized separately. After a response with status 401, the token is
/// renewed once and the request is sent again. A second 401 is returned to the caller.
///
/// ```swift
/// let connection = AuthorizedConnection(HTTPConnection(…), .fixed(.bearer(token)))
/// ```
public struct AuthorizedConnection: Connection {
  private let connection: any Connection
  private let authorization: RequestAuthorization

  /// Creates a connection that adds credentials to the requests of another connection.
  public init(_ connection: any Connection, _ authorization: RequestAuthorization) {
    self.connection = connection
    self.authorization = authorization
  }

  /// The connection's base URL.
  public var baseURL: String { connection.baseURL }
  /// The connection's reachability check.
  public var reachability: any Reachability { connection.reachability }

  /// Sends the request with its credential, and obtains the credential first if necessary.
  ///
  /// - Throws: the errors of the connection, and the reason why no token could be obtained.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    switch authorization {
    case .fixed(let credential):
      return try await connection.response(for: try credential.applied(to: resource))
    case .signature(let signature):
      return try await connection.response(for: try signature.signed(resource, base: connection.baseURL))
    case .oauth1(let signature):
      return try await connection.response(for: try signature.signed(resource, base: connection.baseURL))
    case .digest(let session): return try await session.response(for: resource, over: connection)
    case .computed(let complete):
      return try await connection.response(for: try complete(resource, connection.baseURL))
    case .token(let session):
      let token = try await session.token()
      let response = try await connection.response(for: try token.credential.applied(to: resource))
      guard response.status == 401 else {
        session.accept(token)
        return response
      }
      let replacement: TokenSession.Token?
      do throws(ReactorError) {
        replacement = try await session.replacement(for: token)
      } catch {
        response.body.cancel()
        throw error
      }
      guard let replacement else { return response }
      response.body.cancel()
      var again = try replacement.credential.applied(to: resource)
      again.resends += 1
      let second = try await connection.response(for: again)
      session.judge(replacement, helped: second.status != 401)
      return second
    }
  }
}
