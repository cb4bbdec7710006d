internal import YAMLSyntax

/// The authorization of a drafted flow.
///
/// Credentials are secrets: their names are written to the file, their values are not.
package struct DraftAuth: Sendable, Hashable {
  /// The YAML text after `auth:`.
  package let text: String
  /// The names of the secrets that the text uses, in order.
  package let secrets: [String]

  private init(_ kind: String, _ value: String, secrets: [String]) {
    text = "{ \(kind): \(value) }"
    self.secrets = secrets
  }

  /// Creates the authorization with a token in `Authorization: Bearer …`.
  package static func bearer(_ secret: String) -> DraftAuth {
    DraftAuth("bearer", quoted(.secret(secret)), secrets: [secret])
  }

  /// Creates the authorization with user name and password. Without a password the user name is the credential.
  package static func basic(username: String, password: String?) -> DraftAuth {
    let password = password.map(DraftText.secret) ?? DraftText("")
    return DraftAuth(
      "basic", "{ username: \(quoted(.secret(username))), password: \(quoted(password)) }",
      secrets: [username] + password.secrets)
  }

  /// The part of a request in which an API key is sent.
  package enum KeyLocation: String, Sendable {
    case header, query
  }

  /// Creates the authorization with an API key in a header or in the query.
  package static func apiKey(_ location: KeyLocation, _ name: String, _ value: DraftText) -> DraftAuth {
    DraftAuth(
      "api_key", "{ \(location.rawValue): \(YAMLText.quoted(name)), value: \(quoted(value)) }", secrets: value.secrets)
  }

  /// Creates the authorization with a token that the client requests with its own credentials.
  package static func clientCredentials(
    tokenURL: String, clientID: String, clientSecret: String, scopes: [String]
  ) -> DraftAuth {
    var text = "url: \(quoted(DraftText(tokenURL))), client_id: \(quoted(.secret(clientID)))"
    text += ", client_secret: \(quoted(.secret(clientSecret)))"
    if !scopes.isEmpty { text += ", scopes: [\(scopes.map { quoted(DraftText($0)) }.joined(separator: ", "))]" }
    return DraftAuth("oauth2", "{ \(text) }", secrets: [clientID, clientSecret])
  }

  /// Quotes a text, because a plain scalar in a YAML flow mapping could end too early.
  private static func quoted(_ text: DraftText) -> String { YAMLText.quoted(text.template) }

  /// Converts another name, such as that of a header, to the name of a secret: `X-API-Key` becomes `X_API_KEY`.
  package static func secretName(_ text: String, suffix: String = "") -> String {
    let word = DraftText.word(text).uppercased()
    return (word.isEmpty ? "API_TOKEN" : word) + suffix
  }
}
