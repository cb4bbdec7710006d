internal import ReactorCore

/// Registers texts that were computed from secrets for a request, before the request is sent, so that they are masked.
struct DerivedSecretsConnection: Connection {
  private let connection: any Connection
  private let secrets: KnownSecrets

  init(_ connection: any Connection, _ secrets: KnownSecrets) {
    self.connection = connection
    self.secrets = secrets
  }

  var baseURL: String { connection.baseURL }
  var reachability: any Reachability { connection.reachability }

  func response(for resource: Resource) async throws(ReactorError) -> Response {
    secrets.addPassing(resource.derivedSecrets)
    return try await connection.response(for: resource)
  }
}
