extension Construct {
  static let oauth2 = Construct(
    .oauth2, noun: "'oauth2'", "How a token is obtained from an authorization server, and how it is used.",
    details: """
      The answer is at most 1 MiB and must come within the flow's timeout, 30 seconds at most; redirects to another \
      origin are refused. A refused request fails all flows that need the token and is not repeated.
      """,
    fields: [
      FieldSpec(
        "grant", .choice(AuthDeclaration.OAuth2.Grant.allCases.map(\.rawValue)), default: "client_credentials",
        "What is shown to get a token: the client's own credentials, or a refresh token.", row: 11,
        examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\""],
        mistakes: [.init("grant: ↓password", .unknownValue), .init("↓grant: refresh_token", .missingKey)]),
      FieldSpec(
        "token_url", .url(orWords: []), required: true, "The token endpoint: a whole URL.", templated: true,
        secrets: .warned, row: 11,
        examples: ["token_url: https://login.example.com/oauth/token"],
        mistakes: [.init("token_url: ↓/oauth/token", .invalidURL)]),
      FieldSpec(
        "client_id", .text, required: true, "The client's name at the authorization server.", templated: true, row: 11,
        examples: ["client_id: reactor"], mistakes: [.init("client_id: ↓''", .missingValue)]),
      FieldSpec(
        "client_secret", .text, default: "none: a public client", "The client's password.", templated: true, row: 11,
        examples: ["client_secret: \"{{ secrets.PASSWORD }}\""],
        mistakes: [.init("client_secret: ↓hunter2", .plainCredential)]),
      FieldSpec(
        "refresh_token", .text, default: "none", "The refresh token to begin with.",
        details: """
          Only with `grant: refresh_token`. See `single_use` for what becomes of it.
          """, templated: true, row: 11,
        examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\""],
        mistakes: [
          .init("↓refresh_token: \"{{ secrets.SHOP_TOKEN }}\"", .misplacedKey),
          .init("grant: refresh_token\nrefresh_token: ↓abc123", .plainCredential),
        ]),
      FieldSpec(
        "single_use", .boolean, default: "true",
        "Whether a new refresh token in an answer replaces the old one for good.",
        details: """
          Then it is written to `.reactor/auth/` below the output root before the access token is used (the file can be \
          read by its owner only), later runs begin with it, and runs wait for each other while they renew. Another \
          configured refresh token begins anew. With false nothing is written and the configured one is always sent.
          """, row: 11,
        examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\"\nsingle_use: false"],
        mistakes: [.init("↓single_use: true", .misplacedKey)]),
      FieldSpec(
        "scopes", .list(.text), default: "none", "What is asked for, in order.", templated: true, row: 11,
        examples: ["scopes: [orders.read, customers.read]"],
        mistakes: [.init("scopes: ↓orders.read", .wrongKind), .init("scopes: [↓'a b']", .authValue)]),
      FieldSpec(
        "audience", .text, default: "none", "For whom the token is to be: the field `audience` of the request.",
        templated: true, row: 11,
        examples: ["audience: https://api.example.com"], mistakes: [.init("audience: ↓[a]", .wrongKind)]),
      FieldSpec(
        "params", .map(.parameter, .text), default: "none", "Further fields of the request by name.",
        templated: true, row: 11,
        examples: ["params: { resource: \"urn:{{ vars.region }}\" }"],
        mistakes: [.init("params: { ↓grant_type: password }", .authConflict)]),
      FieldSpec(
        "send", .choice(AuthDeclaration.OAuth2.Sending.allCases.map(\.rawValue)), default: "basic",
        "Whether id and secret of the client go into a header (basic) or into the form (body).", row: 11,
        examples: ["send: body"], mistakes: [.init("send: ↓header", .unknownValue)]),
      Auth.header, Auth.query, Auth.value,
    ],
    frame: Auth.frame("oauth2", supplies: ["token_url: https://login.example.com/token", "client_id: reactor"]))

  static let login = Construct(
    .login, noun: "'login'", "Requests of the API itself, the last of which gives a token.",
    details: """
      Limits and failures are those of `oauth2`. What is taken from answers counts as a secret and is masked everywhere.
      """,
    fields: [
      FieldSpec(
        "steps", .list(.construct(.loginStep)), default: "none",
        "Requests before the one that gives the token, in order.",
        row: 15,
        examples: [
          """
          steps:
            - { resource: /challenge, capture: { nonce: $.nonce } }
          resource: { path: /login, method: POST, body: { json: { nonce: \"{{ nonce }}\" } } }
          """
        ],
        mistakes: [.init("steps: ↓{ resource: /challenge }", .wrongKind)]),
      FieldSpec(
        "base_url", .url(orWords: []), default: "the flow's", "The server that is asked, where it is another one.",
        templated: true, secrets: .warned, row: 15,
        examples: ["base_url: https://login.example.com"],
        mistakes: [.init("base_url: ↓login.example.com", .invalidURL)]),
      FieldSpec(
        "resource", .construct(.resource), required: true, "The request that gives the token.",
        details: "It is made of its own keys alone: the headers of `http` do not go along.", row: 15,
        examples: ["resource: { path: /login, method: POST, body: { form: { user: \"{{ vars.user }}\" } } }"],
        mistakes: [.init("resource: { path: /login, ↓body: { text: hello } }", .bodyNotAllowed)]),
      FieldSpec(
        "token", .jsonPath, default: "none", "Where the token is in the answer.", row: 15,
        examples: ["token: $.data.token"], mistakes: [.init("token: ↓data.token", .invalidPath)]),
      FieldSpec(
        "token_header", .name(.header), default: "none", "The header of the answer that holds the token.", row: 15,
        examples: ["token_header: X-Subject-Token"],
        mistakes: [.init("token: $.token\n↓token_header: X-Subject-Token", .authForm)]),
      FieldSpec(
        "expires", .durationOrPath, default: "when the server answers with status 401",
        "How long a token is good for, or where the answer says so.",
        details: "There a number is seconds from now, and a text is a moment as ISO 8601.", row: 15,
        examples: ["expires: $.expires_in", "expires: 1h"],
        mistakes: [.init("expires: ↓3600", .invalidDuration), .init("expires: $.↓[", .invalidPath)]),
      Auth.header, Auth.query, Auth.value,
    ],
    frame: Auth.frame(
      "login", supplies: ["resource: /session", "token: $.token"], alternatives: ["token": "token_header"]))

  static let loginStep = Construct(
    .loginStep, noun: "a login step", "A request before the one that gives the token.",
    fields: [
      FieldSpec(
        "resource", .construct(.resource), required: true, "What is asked.", row: 15,
        examples: ["resource: /challenge"], mistakes: [.init("resource: /challenge↓?x=1", .invalidRequestPath)]),
      FieldSpec(
        "capture", .map(.variable, .jsonPath), default: "none",
        "What is taken from the answer, by the name under which later requests and `value` know it.", row: 15,
        examples: ["capture: { nonce: $.nonce }"],
        mistakes: [.init("capture: { ↓token: $.token }", .authConflict), .init("capture: { a: ↓nonce }", .invalidPath)]),
    ],
    frame: Frame(
      """
      reactor: 1
      http:
        base_url: https://api.example.com
        auth:
          login:
            resource: /session
            token: $.token
            steps:
              -
                ◆
      flows: { orders: { resource: /orders } }
      """, supplies: ["resource: /challenge"]))
}
