extension Construct {
  /// What the constructs of authorization have in common.
  enum Auth {
    /// The key `auth`, in `http` and in a flow.
    static let key = FieldSpec(
      "auth", .construct(.auth), default: "none", "How requests are authorized.",
      details: """
        In `http` at the top of the file it holds for every flow; a flow's own `auth` replaces it as a whole, and \
        `auth: none` sends nothing. A flow that goes to another server than the file's `base_url` must say for itself \
        what it sends there. Credentials go to the flow's own origin only, never along with a redirect to another one, \
        and are shown nowhere.
        """, row: 1,
      examples: ["auth: { bearer: \"{{ secrets.SHOP_TOKEN }}\" }", "auth: none"],
      mistakes: [
        .init("auth: ↓bearer", .unknownValue), .init("auth: { ↓baerer: \"{{ secrets.SHOP_TOKEN }}\" }", .unknownKey),
        .init("↓auth: {}", .authForm),
      ])

    /// The file around an `auth` whose kind has keys of its own.
    static func frame(_ kind: String, supplies: [String], alternatives: [String: String] = [:]) -> Frame {
      Frame(
        """
        reactor: 1
        vars: { user: me, region: eu }
        secrets: [SHOP_TOKEN, PASSWORD]
        http:
          base_url: https://api.example.com
          auth:
            \(kind):
              ◆
        flows: { orders: { resource: /orders } }
        """, supplies: supplies, alternatives: alternatives)
    }

    static let header = FieldSpec(
      "header", .name(.header), default: "Authorization", "The header that carries the token.",
      details: "It is kept back from every other origin.", row: 11,
      examples: ["header: X-Access-Token"],
      mistakes: [.init("header: ↓X Token", .invalidHeader), .init("header: ↓Host", .reservedHeader)])
    static let query = FieldSpec(
      "query", .name(.parameter), default: "none", "The query parameter that carries the token, in place of a header.",
      details: "URLs end up in the logs of servers and proxies: use a header where the server takes one.", row: 11,
      examples: ["query: access_token"],
      mistakes: [.init("header: X-Access-Token\n↓query: access_token", .authForm)])
    static let value = FieldSpec(
      "value", .text, default: "`Bearer {{ token }}` in Authorization, else `{{ token }}`",
      "What is sent, with `{{ token }}` where the token goes.", templated: true, row: 11,
      examples: ["value: \"Token {{ token }}\""],
      mistakes: [
        .init("value: \"Token {{ ↓tokn }}\"", .templateUnknownRoot), .init("value: ↓Token", .authValue),
      ])
  }

  static let auth = Construct(
    .auth, noun: "'auth'", "How requests are authorized: exactly one of its kinds, or `none`.",
    shortForm: ShortForm(
      for: "bearer", .choice(["none"]), "`none` sends no credentials, whatever the file says.", examples: ["none"]),
    fields: [
      FieldSpec(
        "bearer", .text, "A token sent as `Authorization: Bearer …` (RFC 6750).", templated: true, row: 1,
        examples: ["bearer: \"{{ secrets.SHOP_TOKEN }}\""],
        mistakes: [
          .init("bearer: ↓abc123", .plainCredential), .init("bearer: ↓''", .missingValue),
          .init("bearer: \"{{ secrets.↓SHOP_TOKN }}\"", .templateUnknownSecret),
        ]),
      FieldSpec(
        "basic", .construct(.basic), "User name and password (RFC 7617).", row: 1,
        examples: ["basic: { username: \"{{ vars.user }}\", password: \"{{ secrets.PASSWORD }}\" }"],
        mistakes: [.init("basic: { ↓user: me, username: me, password: \"{{ secrets.PASSWORD }}\" }", .unknownKey)]),
      FieldSpec(
        "api_key", .construct(.apiKey), "A key in a header, in the query or in the body.", row: 1,
        examples: ["api_key: { header: X-API-Key, value: \"{{ secrets.SHOP_TOKEN }}\" }"],
        mistakes: [
          .init(
            "bearer: \"{{ secrets.SHOP_TOKEN }}\"\n↓api_key: { header: X-Key, value: \"{{ secrets.SHOP_TOKEN }}\" }",
            .authForm)
        ]),
      FieldSpec(
        "oauth2", .construct(.oauth2), "A token of an authorization server (RFC 6749).",
        details: """
          It is asked for once per run with the first request that needs it, shared by all flows that say the same, \
          renewed shortly before it expires, and once more when the server answers with status 401.
          """, row: 11,
        examples: [
          """
          oauth2:
            token_url: https://login.example.com/token
            client_id: reactor
            client_secret: \"{{ secrets.PASSWORD }}\"
          """
        ],
        mistakes: [.init("↓oauth2: { client_id: reactor }", .missingKey)]),
      FieldSpec(
        "login", .construct(.login), "A token that a request of the API itself gives.",
        details: "It is asked for, shared and renewed like that of `oauth2`.", row: 15,
        examples: [
          """
          login:
            resource: { method: POST, path: /login, body: { json: { password: \"{{ secrets.PASSWORD }}\" } } }
            token: $.token
          """
        ],
        mistakes: [.init("↓login: { token: $.token }", .missingKey)]),
    ],
    later: [
      LaterKey("choose", row: 19, "authorization by choice", instead: "write one file for each kind"),
      LaterKey("jwt", row: 24, "signed JSON web tokens"),
      LaterKey("sigv4", row: 24, "AWS signatures"),
    ],
    frame: Frame(
      """
      reactor: 1
      vars: { user: me, region: eu }
      secrets: [SHOP_TOKEN, PASSWORD]
      http:
        base_url: https://api.example.com
        auth:
          ◆
      flows: { orders: { resource: /orders } }
      """))

  static let basic = Construct(
    .basic, noun: "'basic'", "User name and password, sent as `Authorization: Basic …`.",
    fields: [
      FieldSpec(
        "username", .text, required: true, "The user name; no colon.", templated: true, row: 1,
        examples: ["username: \"{{ vars.user }}\""], mistakes: [.init("username: ↓a:b", .authValue)]),
      FieldSpec(
        "password", .text, required: true, "The password; may be empty where a key is the user name.",
        templated: true, row: 1,
        examples: ["password: \"{{ secrets.PASSWORD }}\"", "password: ''"],
        mistakes: [
          .init("password: ↓hunter2", .plainCredential),
          .init("password: \"{{ ↓secret.PASSWORD }}\"", .templateUnknownRoot),
        ]),
    ],
    frame: Auth.frame("basic", supplies: ["username: me", "password: \"{{ secrets.PASSWORD }}\""]))

  static let apiKey = Construct(
    .apiKey, noun: "'api_key'", "A key in exactly one place of the request.",
    fields: [
      FieldSpec(
        "header", .name(.header), default: "none", "The header that carries the key.",
        details: "It is kept back from every other origin.", row: 1,
        examples: ["header: X-API-Key"],
        mistakes: [.init("header: ↓\"X Key\"", .invalidHeader), .init("header: ↓Connection", .reservedHeader)]),
      FieldSpec(
        "query", .name(.parameter), default: "none", "The query parameter that carries the key.",
        details: """
          It is left out of all URLs that are shown. Servers and proxies write URLs to their logs: use a header where \
          the server takes one.
          """, row: 1,
        examples: ["query: api_key"], mistakes: [.init("header: X-Key\n↓query: api_key", .authForm)]),
      FieldSpec(
        "body", .name(.parameter), default: "none",
        "The member of a JSON object, or the pair of a form, that carries the key.",
        details: "Every flow that it holds for must have such a body.", row: 1,
        examples: ["body: api_key"], mistakes: [.init("body: ↓''", .invalidName)]),
      FieldSpec(
        "value", .text, required: true, "The key.", templated: true, row: 1,
        examples: ["header: X-API-Key\nvalue: \"{{ secrets.SHOP_TOKEN }}\""],
        mistakes: [.init("header: X-API-Key\nvalue: ↓abc123", .plainCredential)]),
    ],
    frame: Frame(
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
}
