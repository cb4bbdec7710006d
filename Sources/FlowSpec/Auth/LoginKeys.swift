import FlowModel

enum LoginKeys {
  static let construct = Construct(
    .login, noun: "'login'", "Requests to the API itself; the response to the last one contains a token.",
    details: """
      The same limits as for `oauth2` apply, and failures have the same effect. Values captured from responses are \
      secrets and are masked everywhere.
      """,
    fields: [
      steps, baseURL, resource, token, expires, TokenKeys.header, TokenKeys.query, TokenKeys.value,
    ],
    frame: AuthKeys.frame(
      "login:\n  ◆", supplies: ["resource: /session", "token: $.token"]))

  static let steps = Field(
    "steps", .whole(.list(.construct(.loginStep))), default: "none",
    "Requests that are sent before the request for the token, in order.", edit: .byItsKeys,
    examples: [
      """
      steps:
        - { resource: /challenge, values: { nonce: $.nonce } }
      resource: { path: /login, method: POST, body: { json: { nonce: \"{{ nonce }}\" } } }
      """
    ], mistakes: ["steps: ↓{ resource: /challenge }": .wrongKind])

  static let baseURL = Field(
    "base_url", .url, default: "the flow's", "The server of the login, if it is not the flow's server.",
    secrets: .warned,
    edit: .asksAnew, examples: ["base_url: https://login.example.com"],
    mistakes: ["base_url: ↓login.example.com": .invalidURL])

  static let resource = Field(
    "resource", .construct(.resource) { $0.loginRequest($1) }, default: .required,
    "The request whose response contains the token.",
    details: "The headers of `http` are not sent with it.", edit: .byItsKeys,
    examples: ["resource: { path: /login, method: POST, body: { form: { user: \"{{ vars.user }}\" } } }"],
    mistakes: ["resource: { path: /login, ↓body: { text: hello } }": .bodyNotAllowed])

  static let token = Field(
    "token",
    .converted(.responseLocation) { location in
      switch location.value {
      case .body(let path): LoginToken.body(Located(path, at: location.range))
      case .header(let name): LoginToken.header(Located(name, at: location.range))
      }
    },
    default: .required, "Where the token is in the response: a path, or `headers.NAME`.", edit: .asksAnew,
    examples: ["token: $.data.token", "token: headers.X-Subject-Token"],
    mistakes: ["token: ↓data.token": .invalidPath, "token: ↓headers.a b": .invalidHeader])

  static let expires = Field(
    "expires_after", .expiry, default: "until a response has status 401",
    "The lifetime of a token, or where it is in the response.",
    details: "In a response, a number is seconds from now, and a text is a time in ISO 8601.", edit: .keepsResult,
    examples: ["expires_after: $.expires_in", "expires_after: 1h"],
    mistakes: ["expires_after: ↓3600": .invalidDuration, "expires_after: $.↓[": .invalidPath])
}

enum LoginStepKeys {
  static let construct = Construct(
    .loginStep, noun: "a login step", "A request that is sent before the request for the token.",
    fields: [resource, capture],
    frame: AuthKeys.frame(
      "login:\n  resource: /session\n  token: $.token\n  steps:\n    -\n      ◆", supplies: ["resource: /challenge"]))

  static let resource = Field(
    "resource", .construct(.resource) { $0.loginRequest($1) }, default: .required, "The request.", edit: .byItsKeys,
    examples: ["resource: /challenge"], mistakes: ["resource: /challenge↓?x=1": .invalidRequestPath])

  static let capture = Field(
    "values", .whole(.map(.variable, .jsonPath)), default: "none",
    "Values from the response, by name. Later requests of the login and its `value` can use them.", edit: .asksAnew,
    examples: ["values: { nonce: $.nonce }"],
    mistakes: ["values: { ↓token: $.token }": .authConflict, "values: { a: ↓nonce }": .invalidPath])
}

enum TokenKeys {
  static let header = Field(
    "header", .converted(.authHeader) { CredentialLocation.header($0) }, default: "Authorization",
    "The header that carries the token.", details: "It is not sent to another origin.", edit: .asksAnew,
    examples: ["header: X-Access-Token"],
    mistakes: ["header: ↓X Token": .invalidHeader, "header: ↓Host": .reservedHeader])

  static let query = Field(
    "query", .converted(.name(.parameter)) { CredentialLocation.query($0.value) }, default: "none",
    "The query parameter that carries the token, instead of a header.",
    details: "URLs end up in the logs of servers and proxies: use a header if the server accepts one.",
    edit: .asksAnew, examples: ["query: access_token"],
    mistakes: ["header: X-Access-Token\n↓query: access_token": .authForm])

  static let value = Field(
    "value", .line, default: "`Bearer {{ token }}` in Authorization, else `{{ token }}`",
    "The text that is sent, with `{{ token }}` for the token.", edit: .asksAnew,
    examples: ["value: \"Token {{ token }}\""],
    mistakes: ["value: \"Token {{ ↓tokn }}\"": .templateUnknownRoot, "value: ↓Token": .authValue])
}

enum OAuth2Keys {
  static let construct = Construct(
    .oauth2, noun: "'oauth2'", "How a token is requested from an authorization server and used.",
    details: """
      The response is at most 1 MiB and must arrive within the flow's timeout, 30 seconds at most. A redirect to \
      another origin is an error. If the server rejects the request, it is not repeated, and all flows that need the \
      token fail. A status that `retry.on` lists, such as 503, is not a rejection: the flow's request is retried, and \
      with it the request for the token.
      """,
    fields: [
      grant, tokenURL, clientID, clientSecret, refreshToken, singleUse, jwt, scopes, params, send,
      TokenKeys.header, TokenKeys.query, TokenKeys.value,
    ],
    requirements: [
      .needs(
        grant, is: "refresh_token", refreshToken, code: .missingKey, "'refresh_token' is missing in 'oauth2'",
        help: "add it, for example 'refresh_token: \"{{ secrets.NAME }}\"'"),
      .needs(
        grant, is: "jwt_bearer", jwt, code: .missingKey, "'jwt' is missing in 'oauth2'",
        help: "add it, for example 'jwt: { algorithm: RS256, key: \"{{ secrets.NAME }}\" }'"),
      .only(
        [refreshToken, singleUse], with: grant, ["refresh_token"], code: .misplacedKey,
        help: "add 'grant: refresh_token', or leave it out"
      ) { key, _ in "'\(key)' is only for 'grant: refresh_token'" },
    ],
    frame: AuthKeys.frame(
      "oauth2:\n  ◆", supplies: ["url: https://login.example.com/token", "client_id: reactor"]))

  /// All keys except the grant and the keys about the use of the token, which the reader handles separately.
  static let stored: [Stored<OAuth2<Located<Template>, SignedToken>>] = [
    .init(tokenURL) { $0.tokenURL = $1 }, .init(clientID) { $0.clientID = $1 },
    .init(clientSecret) { $0.clientSecret = $1 }, .init(refreshToken) { $0.refreshToken = $1 },
    .init(singleUse) { $0.isSingleUse = $1 }, .init(jwt) { $0.assertion = $1 }, .init(scopes) { $0.scopes = $1 },
    .init(params) { $0.params = $1 }, .init(send) { $0.send = $1 },
  ]

  static let grant = Field(
    "grant", .choice(of: OAuth2Grant.self), default: "client_credentials",
    "The credentials that are exchanged for a token: those of the client, a refresh token, or a signed assertion.",
    details: "`jwt_bearer` sends a signed `jwt` (RFC 7523), as the service accounts of Google do.",
    edit: .asksAnew,
    examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\""],
    mistakes: ["grant: ↓password": .unknownValue, "↓grant: refresh_token": .missingKey])

  static let tokenURL = Field(
    "url", .url, default: .required, "The token endpoint: a complete URL.", secrets: .warned, edit: .asksAnew,
    examples: ["url: https://login.example.com/oauth/token"], mistakes: ["url: ↓/oauth/token": .invalidURL])

  static let clientID = Field(
    "client_id", .filledLine, default: "none with `grant: jwt_bearer`, else required",
    "The client's name at the authorization server.", edit: .asksAnew,
    examples: ["client_id: reactor"], mistakes: ["client_id: ↓''": .missingValue])

  static let clientSecret = Field(
    "client_secret", .credential(), default: "none: a public client", "The client's password.", edit: .asksAnew,
    examples: ["client_secret: \"{{ secrets.PASSWORD }}\""], mistakes: ["client_secret: ↓hunter2": .plainCredential])

  static let refreshToken = Field(
    "refresh_token", .credential(), default: "none", "The refresh token that the first run uses.",
    details: "Only with `grant: refresh_token`. See `single_use` for its renewal.", edit: .asksAnew,
    examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\""],
    mistakes: [
      "↓refresh_token: \"{{ secrets.SHOP_TOKEN }}\"": .misplacedKey,
      "grant: refresh_token\nrefresh_token: ↓abc123": .plainCredential,
    ])

  static let singleUse = Field(
    "single_use", .boolean, default: "true", "Whether a new refresh token in a response replaces the old one.",
    details: """
      The new one is written to `.reactor/auth/` below the output root before the access token is used; only the owner \
      can read the file. Later runs start with it, and runs wait for each other while they renew tokens. If \
      `refresh_token` changes in the flow file, the changed value is used. With false nothing is written and the \
      configured token is always sent. With shared state (`--state`) the new token is stored there, sealed with the key \
      in `REACTOR_STATE_KEY`.
      """, edit: .keepsResult,
    examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\"\nsingle_use: false"],
    mistakes: ["↓single_use: true": .misplacedKey])

  static let jwt = Field(
    "jwt", .construct(.assertion) { $0.assertion($1) }, default: "none", "A signed token instead of a password.",
    details: """
      With `grant: jwt_bearer` it is exchanged for a token. With another grant it authenticates the client instead of \
      `client_secret` (RFC 7523, section 2.2), and the default of `sub` is the `client_id`.
      """, edit: .byItsKeys,
    examples: [
      """
      grant: jwt_bearer
      jwt:
        algorithm: RS256
        key: \"{{ secrets.SHOP_TOKEN }}\"
        claims: { scope: orders.read }
      """
    ], mistakes: ["grant: jwt_bearer\n↓jwt: { algorithm: RS256 }": .missingKey])

  static let scopes = Field(
    "scopes",
    .list(
      of: .filledLine.without(
        " ", "a scope cannot contain a space", help: "write each scope as an element of its own")),
    default: "none", "The requested scopes, in order.", edit: .asksAnew,
    examples: ["scopes: [orders.read, customers.read]"],
    mistakes: ["scopes: ↓orders.read": .wrongKind, "scopes: [↓'a b']": .authValue])

  static let params = Field(
    "params", .tokenParameters, default: "none", "Further fields of the token request, by name, such as `audience`.",
    edit: .asksAnew,
    examples: ["params: { audience: https://api.example.com }", "params: { resource: \"urn:{{ vars.region }}\" }"],
    mistakes: ["params: { ↓grant_type: password }": .authConflict])

  static let send = Field(
    "send", .choice(of: OAuth2Sending.self), default: "basic",
    "Where the client's ID and secret are sent: in a header (`basic`) or in the form (`body`).", edit: .keepsResult,
    examples: ["send: body"], mistakes: ["send: ↓header": .unknownValue])
}
