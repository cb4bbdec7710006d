/// The keys of `oauth2` and `login` that say how the token is sent.
enum TokenKeys {
  static let header = Field(
    "header", .converted(.authHeader) { AuthLocationDeclaration.header($0) }, default: "Authorization",
    "The header that carries the token.", details: "It is kept back from every other origin.", edit: .asksAnew,
    examples: ["header: X-Access-Token"],
    mistakes: ["header: ↓X Token": .invalidHeader, "header: ↓Host": .reservedHeader])

  static let query = Field(
    "query", .converted(.name(.parameter)) { AuthLocationDeclaration.query($0.value) }, default: "none",
    "The query parameter that carries the token, in place of a header.",
    details: "URLs end up in the logs of servers and proxies: use a header where the server takes one.",
    edit: .asksAnew, examples: ["query: access_token"],
    mistakes: ["header: X-Access-Token\n↓query: access_token": .authForm])

  static let value = Field(
    "value", .line, default: "`Bearer {{ token }}` in Authorization, else `{{ token }}`",
    "What is sent, with `{{ token }}` where the token goes.", edit: .asksAnew,
    examples: ["value: \"Token {{ token }}\""],
    mistakes: ["value: \"Token {{ ↓tokn }}\"": .templateUnknownRoot, "value: ↓Token": .authValue])
}

/// The keys of `auth.oauth2`.
enum OAuth2Keys {
  static let construct = Construct(
    .oauth2, noun: "'oauth2'", "How a token is obtained from an authorization server, and how it is used.",
    details: """
      The response is at most 1 MiB and must come within the flow's timeout, 30 seconds at most; redirects to another \
      origin are refused. A refused request fails all flows that need the token and is not repeated.
      """,
    fields: [
      grant, tokenURL, clientID, clientSecret, refreshToken, singleUse, scopes, audience, params, send,
      TokenKeys.header, TokenKeys.query, TokenKeys.value,
    ],
    frame: AuthKeys.frame(
      "oauth2:\n  ◆", supplies: ["token_url: https://login.example.com/token", "client_id: reactor"]))

  static let grant = Field(
    "grant", .choice(of: AuthDeclaration.OAuth2.Grant.self), default: "client_credentials",
    "What is shown to get a token: the client's own credentials, or a refresh token.", edit: .asksAnew,
    examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\""],
    mistakes: ["grant: ↓password": .unknownValue, "↓grant: refresh_token": .missingKey])

  static let tokenURL = Field(
    "token_url", .url, default: .required, "The token endpoint: a whole URL.", secrets: .warned, edit: .asksAnew,
    examples: ["token_url: https://login.example.com/oauth/token"], mistakes: ["token_url: ↓/oauth/token": .invalidURL])

  static let clientID = Field(
    "client_id", .filledLine, default: .required, "The client's name at the authorization server.", edit: .asksAnew,
    examples: ["client_id: reactor"], mistakes: ["client_id: ↓''": .missingValue])

  static let clientSecret = Field(
    "client_secret", .credential(), default: "none: a public client", "The client's password.", edit: .asksAnew,
    examples: ["client_secret: \"{{ secrets.PASSWORD }}\""], mistakes: ["client_secret: ↓hunter2": .plainCredential])

  static let refreshToken = Field(
    "refresh_token", .credential(), default: "none", "The refresh token to begin with.",
    details: "Only with `grant: refresh_token`. See `single_use` for what becomes of it.", edit: .asksAnew,
    examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\""],
    mistakes: [
      "↓refresh_token: \"{{ secrets.SHOP_TOKEN }}\"": .misplacedKey,
      "grant: refresh_token\nrefresh_token: ↓abc123": .plainCredential,
    ])

  static let singleUse = Field(
    "single_use", .boolean, default: "true", "Whether a new refresh token in a response replaces the old one for good.",
    details: """
      Then it is written to `.reactor/auth/` below the output root before the access token is used (the file can be \
      read by its owner only), later runs begin with it, and runs wait for each other while they renew. Another \
      configured refresh token begins anew. With false nothing is written and the configured one is always sent.
      """, edit: .keepsResult,
    examples: ["grant: refresh_token\nrefresh_token: \"{{ secrets.SHOP_TOKEN }}\"\nsingle_use: false"],
    mistakes: ["↓single_use: true": .misplacedKey])

  static let scopes = Field(
    "scopes", .list(of: .scope), default: "none", "What is asked for, in order.", edit: .asksAnew,
    examples: ["scopes: [orders.read, customers.read]"],
    mistakes: ["scopes: ↓orders.read": .wrongKind, "scopes: [↓'a b']": .authValue])

  static let audience = Field(
    "audience", .filledLine, default: "none", "For whom the token is to be: the field `audience` of the request.",
    edit: .asksAnew, examples: ["audience: https://api.example.com"], mistakes: ["audience: ↓[a]": .wrongKind])

  static let params = Field(
    "params", .templates(.parameter, .text), default: "none", "Further fields of the request by name.", edit: .asksAnew,
    examples: ["params: { resource: \"urn:{{ vars.region }}\" }"],
    mistakes: ["params: { ↓grant_type: password }": .authConflict])

  static let send = Field(
    "send", .choice(of: AuthDeclaration.OAuth2.Sending.self), default: "basic",
    "Whether id and secret of the client go into a header (basic) or into the form (body).", edit: .keepsResult,
    examples: ["send: body"], mistakes: ["send: ↓header": .unknownValue])
}
