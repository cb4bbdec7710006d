internal import ReactorCore

/// Masks the secrets of a connection's URL in its errors.
struct MaskedConnection: Connection {
  private let connection: any Connection
  private let mask: URLMask

  init(_ connection: any Connection, _ mask: URLMask) {
    self.connection = connection
    self.mask = mask
  }

  var baseURL: String { connection.baseURL }
  var reachability: any Reachability { connection.reachability }

  func response(for resource: Resource) async throws(ReactorError) -> Response {
    do throws(ReactorError) {
      return try await connection.response(for: resource)
    } catch {
      throw mask.masked(error)
    }
  }
}
