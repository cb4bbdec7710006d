internal import Authorization
internal import HTTPTransport
internal import ReactorCore

/// How a flow's requests are authorized, every template resolved.
struct ResolvedAuth: Sendable {
  /// Nil without credentials.
  var authorization: RequestAuthorization?
  /// Changes with the declared credentials and not with the tokens obtained with them.
  var identity = CredentialIdentity.none
  /// Where the credential goes.
  var place: Credential.Place?
  /// In a word, for dry runs: `bearer`; nil without credentials.
  var kind: String?
  /// In words, secrets masked.
  var shown: String?

  /// No credentials.
  static let none = ResolvedAuth()

  /// The connection with the credentials on its requests.
  func around(_ connection: any Connection) -> any Connection {
    authorization.map { AuthorizedConnection(connection, $0) } ?? connection
  }

  /// What the connection to the server has to know of the credentials.
  func adapt(_ options: inout HTTPOptions, _ secrets: KnownSecrets) {
    options.secrets = secrets
    switch place {
    case .header(let name)?: options.secretHeaderNames.append(name)
    case .body?: options.hasSecretBody = true
    case .query?, nil: break
    }
  }
}

extension Credential.Place {
  /// In words: `the header Authorization`.
  var words: String {
    switch self {
    case .header(let name): "the header \(name)"
    case .query(let name): "the query parameter \(name)"
    case .body(let name): "the body's '\(name)'"
    }
  }
}
