import FlowModel

enum OAuth1Keys {
  static let construct = Construct(
    .oauth1, noun: "'oauth1'", "How each request is signed with the keys of a client and of an account.",
    details: """
      The signature is in the header `Authorization`. It covers method, URL, query and the pairs of a form in the body, and \
      has the time of sending and a nonce of its own: retries and pages are signed anew. The three requests by which an \
      account grants a token are not part of a flow; the token is a secret.
      """, fields: [consumerKey, consumerSecret, token, tokenSecret, signature, realm],
    requirements: [
      .needs(
        tokenSecret, token, code: .authForm, "'token_secret' has no 'token'",
        help: "add 'token', or leave the secret out")
    ],
    frame: AuthKeys.frame(
      "oauth1:\n  ◆",
      supplies: ["consumer_key: reactor", "consumer_secret: \"{{ secrets.PASSWORD }}\""]))

  static let stored: [Stored<OAuth1<Located<Template>>>] = [
    .init(consumerKey) { $0.consumerKey = $1 }, .init(consumerSecret) { $0.consumerSecret = $1 },
    .init(token) { $0.token = $1 }, .init(tokenSecret) { $0.tokenSecret = $1 },
    .init(signature) { $0.signature = $1 }, .init(realm) { $0.realm = $1 },
  ]

  static let consumerKey = Field(
    "consumer_key", .filledLine, default: .required, "The name of the client.", edit: .asksAnew,
    examples: ["consumer_key: \"{{ secrets.SHOP_TOKEN }}\""], mistakes: ["consumer_key: ↓''": .missingValue])

  static let consumerSecret = Field(
    "consumer_secret", .credential(mayBeEmpty: true), default: .required, "The secret of the client; may be empty.",
    edit: .asksAnew, examples: ["consumer_secret: \"{{ secrets.PASSWORD }}\""],
    mistakes: ["consumer_secret: ↓kd94hf93": .plainCredential])

  static let token = Field(
    "token", .filledLine, default: "none", "The token of the account.", edit: .asksAnew,
    examples: ["token: \"{{ secrets.SHOP_TOKEN }}\"\ntoken_secret: \"{{ secrets.PASSWORD }}\""],
    mistakes: ["token: ↓''": .missingValue])

  static let tokenSecret = Field(
    "token_secret", .credential(mayBeEmpty: true), default: "empty", "The secret of the token.", edit: .asksAnew,
    examples: ["token: account\ntoken_secret: \"{{ secrets.SHOP_TOKEN }}\""],
    mistakes: [
      "token: account\ntoken_secret: ↓pfkkdhi9": .plainCredential,
      "↓token_secret: \"{{ secrets.SHOP_TOKEN }}\"": .authForm,
    ])

  static let signature = Field(
    "signature", .choice(of: OAuth1Method.self), default: "HMAC-SHA1",
    "How the signature is computed.",
    details: "`PLAINTEXT` sends the secrets themselves, and only over https, also to this machine.",
    edit: .keepsResult, examples: ["signature: HMAC-SHA256", "signature: PLAINTEXT"],
    mistakes: ["signature: ↓HMAC-SHA512": .unknownValue])

  static let realm = Field(
    "realm", .filledLine.without("\"\\", "a realm holds no quotes and no backslashes"), default: "none",
    "The realm in the header, which a few servers require.", edit: .asksAnew,
    examples: ["realm: Photos"], mistakes: ["realm: ↓'a\"b'": .authValue])
}
