import Importing
import Testing

/// Requests that are sent as the manifest's own runner sends them.
@Suite(.timeLimit(.minutes(1))) struct RequestImportTests {
  private static func request(_ requester: String, properties: String = "") -> String {
    Manifest.with(Manifest.stream(requester: requester), properties: properties)
  }

  private static func login(_ requester: String) -> String {
    request(
      "path: /items, authenticator: { type: SessionTokenAuthenticator, session_token_path: [token], login_requester: { type: HttpRequester, http_method: POST, \(requester) }, request_authentication: { type: Bearer } }"
    )
  }

  private static func authenticator(_ text: String, properties: String = "") -> String {
    request("path: /items, authenticator: { \(text) }", properties: properties)
  }

  @Test(arguments: addresses + bodies + credentials) func `a request is carried over`(_ test: ImportCase) throws {
    test.verify(try Imported(test.source))
  }

  static let addresses = [
    ImportCase(
      "a URL of the configuration has no slash behind it", request("url: \"{{ config['site'] }}\""),
      has: ["url: \"{{ vars.site }}\""], lacks: ["resource: /", "path: /"]),
    ImportCase(
      "a URL of the configuration with a host of its own", request("url: \"https://{{ config['site'] }}\""),
      has: ["url: \"https://{{ vars.site }}\""], lacks: ["path: /"]),
    ImportCase(
      "a slash at the end of a URL of the configuration is left out", request("url: \"{{ config['site'] }}/\""),
      has: ["url: \"{{ vars.site }}\""]),
    ImportCase(
      "a path behind a URL of the configuration", request("url: \"{{ config['site'] }}/v2/items\""),
      has: ["resource: /v2/items"], lacks: ["{ url:"]),
    ImportCase(
      "a URL that is known", request("url: https://api.example.com"), has: ["resource: /"], lacks: ["url: \"{{"]),
    ImportCase(
      "a login at a URL of the configuration, behind which a slash is sent", login("url: \"{{ config['site'] }}\""),
      has: ["base_url: \"{{ vars.site }}\"", "path: /", "token: $.token", "# not imported: the URL of a login"],
      losses: [.request]),
    ImportCase(
      "a login at a path of a server of the configuration", login("url: \"{{ config['site'] }}/login\""),
      has: ["path: /login", "token: $.token"]),
  ]

  static let bodies = [
    ImportCase(
      "members without a value are left out, elements are not",
      request(
        "path: /items, http_method: POST, request_body_json: { a: null, b: { c: null, d: 1 }, e: [null, 2], f: { g: null } }"
      ), has: ["b: { d: 1 }", "e: [null, 2]", "f: {}"], lacks: ["a: null", "c: null", "g: null"]),
    ImportCase(
      "variables of GraphQL without a value are left out",
      request(
        "path: /items, http_method: POST, request_body: { type: RequestBodyGraphQL, value: { query: \"query { a }\", variables: { a: null, b: 2 } } }"
      ), has: ["variables: { b: 2 }"], lacks: ["a: null"]),
    ImportCase(
      "the line break at the end of a text is no part of it",
      request(
        "path: /items, http_method: POST, request_body: { type: RequestBodyPlainText, value: \"select 1\\n\" }, request_headers: { X-A: \"b\\n\" }"
      ), has: ["body: { text: \"select 1\" }", "X-A: b,"]),
    ImportCase(
      "of two line breaks at the end, one is part of the text",
      request(
        "path: /items, http_method: POST, request_body: { type: RequestBodyPlainText, value: \"a\\n\\n\" }"
      ), has: ["text: \"a\\n\""]),
  ]

  static let credentials = [
    ImportCase(
      "a password that need not be given may be empty",
      authenticator(
        "type: BasicHttpAuthenticator, username: \"{{ config['api_key'] }}\", password: \"{{ config['password'] }}\"",
        properties: "password: { type: string, airbyte_secret: true }"),
      has: ["password: \"{{ coalesce(secrets.PASSWORD, '') }}\"", "username: \"{{ secrets.API_KEY }}\""]),
    ImportCase(
      "a password that must be given",
      authenticator("type: BasicHttpAuthenticator, username: a, password: \"{{ config['api_key'] }}\""),
      has: ["password: \"{{ secrets.API_KEY }}\""]),
    ImportCase(
      "a session token that is given, beside a login",
      authenticator(
        "type: LegacySessionTokenAuthenticator, header: X-Session, login_url: session, session_token_response_key: id, validate_session_url: user, username: a, password: \"{{ config['api_key'] }}\", session_token: \"{{ config['state'] }}\""
      ),
      has: ["login:", "header: X-Session", "# not imported: session_token: {{ config['state'] }}"],
      losses: [.authentication]),
    ImportCase(
      "a session token that is given, without a login",
      authenticator(
        "type: LegacySessionTokenAuthenticator, header: X-Session, login_url: session, session_token_response_key: id, validate_session_url: user, session_token: \"{{ config['api_key'] }}\""
      ), has: ["api_key: { header: X-Session, value: \"{{ secrets.API_KEY }}\" }"], lacks: ["login:"]),
    ImportCase(
      "a session token that is sent nowhere",
      authenticator(
        "type: SessionTokenAuthenticator, session_token_path: [t], login_requester: { type: HttpRequester, url_base: https://login.example.com, path: l }, request_authentication: { type: ApiKey }"
      ), losses: [.authentication]),
  ]
}
