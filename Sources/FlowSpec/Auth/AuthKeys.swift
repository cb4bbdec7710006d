import FlowModel

enum AuthKeys {
  static let construct = Construct(
    .auth, noun: "'auth'", "How requests are authorized: exactly one of the kinds below, or `none`.",
    shortForm: .init(
      .choice(["none"]), "`none` sends no credentials, even if the file declares some.", examples: ["none"]),
    fields: kinds, frame: AuthKeys.frame("◆"))

  /// A file that contains an `auth` mapping, for testing its examples.
  static func frame(_ keys: String, supplies: [String] = [], alternatives: [String: String] = [:]) -> Construct.Frame {
    let top = """
      reactor: 1
      vars: { user: me, region: eu }
      secrets: [SHOP_TOKEN, PASSWORD]
      flows: { orders: { resource: /orders } }
      http:
        base_url: https://api.example.com
        auth:

      """
    return Construct.Frame(top + Construct.Frame.indented(keys, by: 4), supplies: supplies, alternatives: alternatives)
  }

  /// The kinds of authorization. Each key of `auth` is one kind.
  static let kinds = [bearer, basic, digest, apiKey, oauth1, oauth2, login, jwt, sigv4, sign, choose]

  static let bearer = Field(
    "bearer", .converted(.credential()) { WrittenAuth.bearer($0) },
    "A token sent as `Authorization: Bearer …` (RFC 6750).", edit: .asksAnew,
    examples: ["bearer: \"{{ secrets.SHOP_TOKEN }}\""],
    mistakes: [
      "bearer: ↓abc123": .plainCredential, "bearer: ↓''": .missingValue,
      "bearer: \"{{ secrets.↓SHOP_TOKN }}\"": .templateUnknownSecret,
    ])

  static let basic = Field(
    "basic", .converted(.stored(.basic, BasicKeys.stored) { UserPassword($0) }) { WrittenAuth.basic($0) },
    "User name and password (RFC 7617).", edit: .byItsKeys,
    examples: ["basic: { username: \"{{ vars.user }}\", password: \"{{ secrets.PASSWORD }}\" }"],
    mistakes: ["basic: { ↓user: me, username: me, password: \"{{ secrets.PASSWORD }}\" }": .unknownKey])

  static let digest = Field(
    "digest", .converted(.stored(.digest, DigestKeys.stored) { UserPassword($0) }) { WrittenAuth.digest($0) },
    "User name and password, of which only a hash is sent (HTTP digest, RFC 7616).", edit: .byItsKeys,
    examples: ["digest: { username: \"{{ vars.user }}\", password: \"{{ secrets.PASSWORD }}\" }"],
    mistakes: ["digest: { ↓user: me, username: me, password: \"{{ secrets.PASSWORD }}\" }": .unknownKey])

  static let oauth1 = Field(
    "oauth1", .converted(.stored(.oauth1, OAuth1Keys.stored) { OAuth1($0) }) { WrittenAuth.oauth1($0) },
    "A signature of each request (OAuth 1.0, RFC 5849).", edit: .byItsKeys,
    examples: [
      """
      oauth1:
        client_id: reactor
        client_secret: \"{{ secrets.PASSWORD }}\"
        token: account
        token_secret: \"{{ secrets.SHOP_TOKEN }}\"
      """
    ], mistakes: ["↓oauth1: { client_secret: \"{{ secrets.PASSWORD }}\" }": .missingKey])

  static let apiKey = Field(
    "api_key", .construct(.apiKey) { $0.apiKey($1) }, "A key in a header, in the query or in the body.",
    edit: .byItsKeys, examples: ["api_key: { header: X-API-Key, value: \"{{ secrets.SHOP_TOKEN }}\" }"],
    mistakes: [
      "bearer: \"{{ secrets.SHOP_TOKEN }}\"\n↓api_key: { header: X-Key, value: \"{{ secrets.SHOP_TOKEN }}\" }":
        .authForm
    ])

  static let oauth2 = Field(
    "oauth2", .construct(.oauth2) { $0.oauth2($1) }, "A token from an authorization server (RFC 6749).",
    details: """
      It is requested once per run, with the first request that needs it. All flows with the same settings share it. \
      It is renewed shortly before it expires, and also once after a response with status 401.
      """, edit: .byItsKeys,
    examples: [
      """
      oauth2:
        url: https://login.example.com/token
        client_id: reactor
        client_secret: \"{{ secrets.PASSWORD }}\"
      """
    ], mistakes: ["↓oauth2: { client_id: reactor }": .missingKey])

  static let login = Field(
    "login", .construct(.login) { $0.login($1) }, "A token from a request to the API itself.",
    details: "It is requested, shared and renewed like the token of `oauth2`.", edit: .byItsKeys,
    examples: [
      """
      login:
        resource: { method: POST, path: /login, body: { json: { password: \"{{ secrets.PASSWORD }}\" } } }
        token: $.token
      """
    ], mistakes: ["↓login: { token: $.token }": .missingKey])

  static let jwt = Field(
    "jwt", .construct(.jwt) { $0.jwt($1) }, "A token that each run signs with a key (RFC 7519).",
    details: "All flows with the same settings share it. A new one is signed before it expires and after a status 401.",
    edit: .byItsKeys,
    examples: [
      """
      jwt:
        algorithm: RS256
        key: \"{{ secrets.SHOP_TOKEN }}\"
        claims: { iss: reactor, aud: https://api.example.com }
      """
    ], mistakes: ["↓jwt: { algorithm: RS256 }": .missingKey])

  static let sigv4 = Field(
    "sigv4", .converted(.stored(.sigv4, SigV4Keys.stored) { SigV4($0) }) { WrittenAuth.sigv4($0) },
    "A signature of each request for AWS (Signature Version 4).", edit: .byItsKeys,
    examples: [
      """
      sigv4:
        service: execute-api
        region: eu-central-1
        key_id: \"{{ secrets.SHOP_TOKEN }}\"
        key: \"{{ secrets.PASSWORD }}\"
      """
    ], mistakes: ["↓sigv4: { service: s3, region: eu-west-1, key: \"{{ secrets.PASSWORD }}\" }": .missingKey])

  static let sign = Field(
    "sign", .construct(.sign) { $0.sign($1) },
    "Headers and query parameters that are computed from each request, such as signatures.",
    edit: .byItsKeys,
    examples: [
      """
      sign:
        headers:
          X-Signature: \"{{ hmac_sha256(request.method + request.target + request.body, secrets.PASSWORD) }}\"
      """
    ], mistakes: ["↓sign: {}": .authForm])

  static let choose = Field(
    "choose", .construct(.choose) { $0.choose($1) }, "One of several kinds, chosen by a value.", edit: .byItsKeys,
    examples: [
      """
      choose:
        by: vars.user
        cases:
          me: { bearer: \"{{ secrets.SHOP_TOKEN }}\" }
        else: none
      """
    ], mistakes: ["↓choose: { by: vars.user }": .missingKey])
}

enum BasicKeys {
  static let construct = Construct(
    .basic, noun: "'basic'", "User name and password, sent as `Authorization: Basic …`.", fields: [username, password],
    frame: AuthKeys.frame("basic:\n  ◆", supplies: ["username: me", "password: \"{{ secrets.PASSWORD }}\""]))

  static let stored: [Stored<UserPassword<Located<Template>>>] = [
    .init(username) { $0.username = $1 }, .init(password) { $0.password = $1 },
  ]

  static let username = Field(
    "username", .userName(.line, "a server reads what follows the first colon as the password"), default: .required,
    "The user name; no colon.", edit: .asksAnew,
    examples: ["username: \"{{ vars.user }}\""], mistakes: ["username: ↓a:b": .authValue])

  static let password = Field(
    "password", .credential(mayBeEmpty: true), default: .required,
    "The password; may be empty if the server expects a key as the user name.", edit: .asksAnew,
    examples: ["password: \"{{ secrets.PASSWORD }}\"", "password: ''"],
    mistakes: ["password: ↓hunter2": .plainCredential, "password: \"{{ ↓secret.PASSWORD }}\"": .templateUnknownRoot])
}

enum APIKeyKeys {
  static let construct = Construct(
    .apiKey, noun: "'api_key'", "A key in exactly one location of the request.", fields: [header, query, body, value],
    frame: .init(
      """
      reactor: 1
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      flows:
        orders:
          resource: { method: POST, path: /orders, body: { json: { all: true } } }
          auth:
            api_key:
              ◆
        plain:
          resource: /plain
      """, supplies: ["value: \"{{ secrets.SHOP_TOKEN }}\""]))

  static let header = Field(
    "header", .converted(.authHeader) { CredentialLocation.header($0) }, default: "none",
    "The header that carries the key.", details: "It is not sent to another origin.", edit: .asksAnew,
    examples: ["header: X-API-Key"],
    mistakes: ["header: ↓\"X Key\"": .invalidHeader, "header: ↓Connection": .reservedHeader])

  static let query = Field(
    "query", .converted(.name(.parameter)) { CredentialLocation.query($0.value) }, default: "none",
    "The query parameter that carries the key.",
    details: """
      URLs in messages and reports are shown without it. But servers and proxies write URLs to their logs: use a \
      header if the server accepts one.
      """, edit: .asksAnew, examples: ["query: api_key"], mistakes: ["header: X-Key\n↓query: api_key": .authForm])

  static let body = Field(
    "body", .converted(.name(.parameter)) { CredentialLocation.body($0.value) }, default: "none",
    "The member of a JSON object, or the field of a form, that carries the key.",
    details: "Every flow to which this `auth` applies must have such a body.", edit: .asksAnew,
    examples: ["body: api_key"],
    mistakes: ["body: ↓''": .invalidName])

  static let value = Field(
    "value", .credential(), default: .required, "The key.", edit: .asksAnew,
    examples: ["header: X-API-Key\nvalue: \"{{ secrets.SHOP_TOKEN }}\""],
    mistakes: ["header: X-API-Key\nvalue: ↓abc123": .plainCredential])
}
