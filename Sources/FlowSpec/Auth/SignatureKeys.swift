internal import Expressions
package import FlowModel

enum SignKeys {
  static let construct = Construct(
    .sign, noun: "'sign'", "Headers and query parameters that are computed from each request, such as signatures.",
    details: """
      They are computed when a request is sent, again for each page and each retry; `now()` is the time of sending in \
      whole milliseconds. `request` has the members `method`, `url`, `host`, `path` and `query` as they are sent, \
      `target` (path and query) and `body` (text, empty without a body).
      """, fields: [headers, query],
    frame: AuthKeys.frame("sign:\n  ◆"))

  static let headers = Field(
    "headers", .headers, default: "none", "Headers by name.",
    details: "They are computed over the request with the parameters of `query`, and are not sent to another origin.",
    edit: .asksAnew,
    examples: [
      """
      headers:
        X-Timestamp: \"{{ now().format('epoch_ms') }}\"
        X-Signature: \"{{ hmac_sha256(now().format('epoch_ms') + request.target, secrets.PASSWORD, 'base64') }}\"
      """
    ],
    mistakes: [
      "headers: { X-Signature: \"{{ ↓req.path }}\" }": .templateUnknownRoot,
      "headers: { ↓Host: \"{{ request.host }}\" }": .reservedHeader,
    ])

  static let query = Field(
    "query", .templates(.parameter, .text), default: "none", "Query parameters by name.",
    details: """
      Each is computed over the request that already contains the preceding ones, and is added at the end of the \
      query. A recording needs `fixture: { match: { ignore_query: […] } }` for parameters that change.
      """, edit: .asksAnew,
    examples: [
      """
      query:
        timestamp: \"{{ now().format('epoch_ms') }}\"
        signature: \"{{ hmac_sha256(request.query, secrets.PASSWORD) }}\"
      """
    ], mistakes: ["query: { signature: \"{{ request.↓pat }}\" }": .expressionName, "query: ↓a": .wrongKind])
}

enum SigV4Keys {
  static let construct = Construct(
    .sigv4, noun: "'sigv4'", "How each request is signed for AWS and for services that imitate it.",
    details: """
      The signature covers method, path, query, body, `Content-Type` and the headers whose names begin with `X-Amz-`. \
      It contains the time of sending, so each retry and each page gets a new signature. It sets the headers \
      `Authorization`, `X-Amz-Date`, `X-Amz-Content-Sha256` and `X-Amz-Security-Token`. A redirect is followed with \
      the signature of the first request, which most servers refuse.
      """, fields: [service, region, accessKey, secretKey, sessionToken],
    frame: AuthKeys.frame(
      "sigv4:\n  ◆",
      supplies: [
        "service: execute-api", "region: eu-central-1", "key_id: \"{{ secrets.SHOP_TOKEN }}\"",
        "key: \"{{ secrets.PASSWORD }}\"",
      ]))

  static let stored: [Stored<SigV4<Located<Template>>>] = [
    .init(service) { $0.service = $1 }, .init(region) { $0.region = $1 }, .init(accessKey) { $0.accessKey = $1 },
    .init(secretKey) { $0.secretKey = $1 }, .init(sessionToken) { $0.sessionToken = $1 },
  ]

  static let service = Field(
    "service", .scopePart, default: .required, "The service's name in signatures: `s3`, `execute-api`, `dynamodb`, ….",
    details: "It is the first part of most host names. For `s3` the path is signed by the rules of S3.",
    edit: .asksAnew,
    examples: ["service: s3"], mistakes: ["service: ↓a/b": .authValue, "service: ↓''": .missingValue])

  static let region = Field(
    "region", .scopePart, default: .required, "The name of the region, which is part of each signature.",
    edit: .asksAnew, examples: ["region: us-east-1"], mistakes: ["region: ↓eu/west": .authValue])

  static let accessKey = Field(
    "key_id", .scopePart, default: .required, "The name of the key: AWS_ACCESS_KEY_ID.", edit: .asksAnew,
    examples: ["key_id: \"{{ secrets.SHOP_TOKEN }}\""], mistakes: ["key_id: ↓a/b": .authValue])

  static let secretKey = Field(
    "key", .credential(), default: .required, "The key: AWS_SECRET_ACCESS_KEY.", edit: .asksAnew,
    examples: ["key: \"{{ secrets.PASSWORD }}\""], mistakes: ["key: ↓wJalrXUtn": .plainCredential])

  static let sessionToken = Field(
    "token", .credential(mayBeEmpty: true), default: "none",
    "The token of temporary credentials; may be empty.",
    edit: .asksAnew,
    examples: [
      "token: \"{{ secrets.SHOP_TOKEN }}\"", "token: \"{{ coalesce(secrets.SHOP_TOKEN, '') }}\"",
    ], mistakes: ["token: ↓FwoGZXIv": .plainCredential])
}

extension SigV4 {
  /// Whether a byte is allowed in a service, region or key ID. The signature puts separators between these parts, so
  /// they must contain none.
  package static func isScopeByte(_ byte: UInt8) -> Bool {
    ASCII.isNameCharacter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

enum OAuth1Keys {
  static let construct = Construct(
    .oauth1, noun: "'oauth1'", "How each request is signed with the keys of a client and of an account.",
    details: """
      The signature is in the header `Authorization`. It covers method, URL, query and the fields of a form in the \
      body, and contains the time of sending and a new nonce, so each retry and each page gets a new signature. The \
      three requests by which an account grants a token are not part of a flow: declare the token as a secret.
      """, fields: [consumerKey, consumerSecret, token, tokenSecret, signature, realm],
    requirements: [
      .needs(
        tokenSecret, token, code: .authForm, "'token_secret' needs the key 'token'",
        help: "add 'token', or leave 'token_secret' out")
    ],
    frame: AuthKeys.frame(
      "oauth1:\n  ◆",
      supplies: ["client_id: reactor", "client_secret: \"{{ secrets.PASSWORD }}\""]))

  static let stored: [Stored<OAuth1<Located<Template>>>] = [
    .init(consumerKey) { $0.consumerKey = $1 }, .init(consumerSecret) { $0.consumerSecret = $1 },
    .init(token) { $0.token = $1 }, .init(tokenSecret) { $0.tokenSecret = $1 },
    .init(signature) { $0.signature = $1 }, .init(realm) { $0.realm = $1 },
  ]

  static let consumerKey = Field(
    "client_id", .filledLine, default: .required, "The name of the client.", edit: .asksAnew,
    examples: ["client_id: \"{{ secrets.SHOP_TOKEN }}\""], mistakes: ["client_id: ↓''": .missingValue])

  static let consumerSecret = Field(
    "client_secret", .credential(mayBeEmpty: true), default: .required, "The secret of the client; may be empty.",
    edit: .asksAnew, examples: ["client_secret: \"{{ secrets.PASSWORD }}\""],
    mistakes: ["client_secret: ↓kd94hf93": .plainCredential])

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
    "algorithm", .choice(of: OAuth1Method.self), default: "HMAC-SHA1",
    "How the signature is computed.",
    details: "`PLAINTEXT` sends the secrets themselves, so it needs https, even for a server on this machine.",
    edit: .keepsResult, examples: ["algorithm: HMAC-SHA256", "algorithm: PLAINTEXT"],
    mistakes: ["algorithm: ↓HMAC-SHA512": .unknownValue])

  static let realm = Field(
    "realm", .filledLine.without("\"\\", "a realm cannot contain quotes or backslashes"), default: "none",
    "The realm in the header, which a few servers require.", edit: .asksAnew,
    examples: ["realm: Photos"], mistakes: ["realm: ↓'a\"b'": .authValue])
}
