internal import ReactorCore

/// Keeps each response for the process that needs it.
struct GatheringConnection: Connection {
  let connection: any Connection
  let gathered: GatheredResponses
  /// The response as it may be stored outside of this process; nil if it may not.
  let stored: @Sendable (SharedResponse) -> SharedResponse?

  var baseURL: String { connection.baseURL }
  var reachability: any Reachability { connection.reachability }

  func response(for resource: Resource) async throws(ReactorError) -> Response {
    let response = try await connection.response(for: resource)
    let (whole, readable) = try await SharedResponse.read(response, upTo: ResponseCache.largest)
    if let stored = whole.flatMap(stored) { gathered.add(stored, to: resource) }
    return readable
  }
}

/// Uses gathered responses, and sends the requests that have none.
struct GatheredConnection: Connection {
  let connection: any Connection
  let gathered: GatheredResponses

  var baseURL: String { connection.baseURL }
  var reachability: any Reachability { connection.reachability }

  func response(for resource: Resource) async throws(ReactorError) -> Response {
    if let response = gathered.take(resource) { return response.response }
    return try await connection.response(for: resource)
  }
}
