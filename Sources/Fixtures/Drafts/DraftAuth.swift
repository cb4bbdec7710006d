/// How a drafted flow is authorized. Credentials are secrets: their names are written, their values are not.
package struct DraftAuth: Sendable, Hashable {
  /// What stands after `auth:`.
  package let text: String
  /// The secrets that it names, in order.
  package let secrets: [String]

  private init(_ kind: String, _ value: String, secrets: [String]) {
    text = "{ \(kind): \(value) }"
    self.secrets = secrets
  }

  /// A token in `Authorization: Bearer …`.
  package static func bearer(_ secret: String) -> DraftAuth {
    DraftAuth("bearer", quoted(.secret(secret)), secrets: [secret])
  }

  /// User name and password; without a password the user name is the credential.
  package static func basic(username: String, password: String?) -> DraftAuth {
    let password = password.map(DraftText.secret) ?? DraftText("")
    return DraftAuth(
      "basic", "{ username: \(quoted(.secret(username))), password: \(quoted(password)) }",
      secrets: [username] + password.secrets)
  }

  /// Where a key goes.
  package enum KeyLocation: String, Sendable {
    case header, query
  }

  /// A key in a header or in the query.
  package static func apiKey(_ location: KeyLocation, _ name: String, _ value: DraftText) -> DraftAuth {
    DraftAuth(
      "api_key", "{ \(location.rawValue): \(YAMLText.quoted(name)), value: \(quoted(value)) }", secrets: value.secrets)
  }

  /// A token that the client gets for its own credentials.
  package static func clientCredentials(
    tokenURL: String, clientID: String, clientSecret: String, scopes: [String]
  ) -> DraftAuth {
    var text = "token_url: \(quoted(DraftText(tokenURL))), client_id: \(quoted(.secret(clientID)))"
    text += ", client_secret: \(quoted(.secret(clientSecret)))"
    if !scopes.isEmpty { text += ", scopes: [\(scopes.map { quoted(DraftText($0)) }.joined(separator: ", "))]" }
    return DraftAuth("oauth2", "{ \(text) }", secrets: [clientID, clientSecret])
  }

  /// In a flow mapping a plain scalar could end early.
  private static func quoted(_ text: DraftText) -> String { YAMLText.quoted(text.template) }

  /// A secret's name for what another text calls it: `X-API-Key` becomes `X_API_KEY`.
  package static func secretName(_ text: String, suffix: String = "") -> String {
    let word = DraftText.word(text).uppercased()
    return (word.isEmpty ? "API_TOKEN" : word) + suffix
  }
}
