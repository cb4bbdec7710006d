/// The keys of `auth.login`.
enum LoginKeys {
  static let construct = Construct(
    .login, noun: "'login'", "Requests of the API itself, the last of which gives a token.",
    details: """
      Limits and failures are those of `oauth2`. What is taken from responses counts as a secret and is masked \
      everywhere.
      """,
    fields: [
      steps, baseURL, resource, token, tokenHeader, expires, TokenKeys.header, TokenKeys.query, TokenKeys.value,
    ],
    frame: AuthKeys.frame(
      "login:\n  ◆", supplies: ["resource: /session", "token: $.token"], alternatives: ["token": "token_header"]))

  static let steps = Field(
    "steps", .whole(.list(.construct(.loginStep))), default: "none",
    "Requests before the one that gives the token, in order.", edit: .byItsKeys,
    examples: [
      """
      steps:
        - { resource: /challenge, capture: { nonce: $.nonce } }
      resource: { path: /login, method: POST, body: { json: { nonce: \"{{ nonce }}\" } } }
      """
    ], mistakes: ["steps: ↓{ resource: /challenge }": .wrongKind])

  static let baseURL = Field(
    "base_url", .url, default: "the flow's", "The server that is asked, where it is another one.", secrets: .warned,
    edit: .asksAnew, examples: ["base_url: https://login.example.com"],
    mistakes: ["base_url: ↓login.example.com": .invalidURL])

  static let resource = Field(
    "resource", .construct(.resource) { $0.loginRequest($1) }, default: .required, "The request that gives the token.",
    details: "It is made of its own keys alone: the headers of `http` do not go along.", edit: .byItsKeys,
    examples: ["resource: { path: /login, method: POST, body: { form: { user: \"{{ vars.user }}\" } } }"],
    mistakes: ["resource: { path: /login, ↓body: { text: hello } }": .bodyNotAllowed])

  static let token = Field(
    "token", .converted(.jsonPath) { AuthDeclaration.Login.TokenLocation.body($0) }, default: "none",
    "Where the token is in the response.", edit: .asksAnew, examples: ["token: $.data.token"],
    mistakes: ["token: ↓data.token": .invalidPath])

  static let tokenHeader = Field(
    "token_header", .converted(.name(.header)) { AuthDeclaration.Login.TokenLocation.header($0) }, default: "none",
    "The header of the response that holds the token.", edit: .asksAnew, examples: ["token_header: X-Subject-Token"],
    mistakes: ["token: $.token\n↓token_header: X-Subject-Token": .authForm])

  static let expires = Field(
    "expires", .expiry, default: "when the server answers with status 401",
    "How long a token is good for, or where the response says so.",
    details: "There a number is seconds from now, and a text is a moment as ISO 8601.", edit: .keepsResult,
    examples: ["expires: $.expires_in", "expires: 1h"],
    mistakes: ["expires: ↓3600": .invalidDuration, "expires: $.↓[": .invalidPath])
}

/// The keys of a step of a login.
enum LoginStepKeys {
  static let construct = Construct(
    .loginStep, noun: "a login step", "A request before the one that gives the token.", fields: [resource, capture],
    frame: AuthKeys.frame(
      "login:\n  resource: /session\n  token: $.token\n  steps:\n    -\n      ◆", supplies: ["resource: /challenge"]))

  static let resource = Field(
    "resource", .construct(.resource) { $0.loginRequest($1) }, default: .required, "What is asked.", edit: .byItsKeys,
    examples: ["resource: /challenge"], mistakes: ["resource: /challenge↓?x=1": .invalidRequestPath])

  static let capture = Field(
    "capture", .whole(.map(.variable, .jsonPath)), default: "none",
    "What is taken from the response, by the name under which later requests and `value` know it.", edit: .asksAnew,
    examples: ["capture: { nonce: $.nonce }"],
    mistakes: ["capture: { ↓token: $.token }": .authConflict, "capture: { a: ↓nonce }": .invalidPath])
}
