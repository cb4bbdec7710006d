import FlowModel

enum JWTKeys {
  static let construct = Construct(
    .jwt, noun: "'jwt'", "How a JSON web token is signed and used.", details: details,
    fields: fields + [TokenKeys.header, TokenKeys.query, TokenKeys.value], requirements: requirements,
    frame: AuthKeys.frame("jwt:\n  ◆", supplies: ["algorithm: HS256", "key: \"{{ secrets.SHOP_TOKEN }}\""]))

  /// The keys of `oauth2.jwt`: those of `jwt`, for a token that is sent to an authorization server, not to the API.
  static let assertion = Construct(
    .assertion, noun: "'oauth2.jwt'", "How to sign the JSON web token that is sent instead of a password (RFC 7523).",
    details: details + " `aud` is the `url` and `iss` the `client_id`, unless `claims` sets them.",
    fields: fields, requirements: requirements,
    frame: AuthKeys.frame(
      """
      oauth2:
        grant: jwt_bearer
        url: https://login.example.com/token
        jwt:
          ◆
      """, supplies: ["algorithm: HS256", "key: \"{{ secrets.SHOP_TOKEN }}\""]))

  private static let details = """
    `iat` is the time of the run and `exp` the end of `expires_after`. Token and key are masked everywhere. Private keys \
    need the library libcrypto of OpenSSL 3. It is loaded when the first private key is used.
    """

  private static let fields: [any FieldSpec] = [
    algorithm, key, keyEncoding, keyID, claims, lifetime, identifier, joseHeader,
  ]

  private static let requirements: [Requirement] = [
    .only(
      [keyEncoding], with: algorithm, ["HS256", "HS384", "HS512"], code: .misplacedKey,
      help: "leave it out: a private key is written in PEM"
    ) { key, word in "'\(key)' is for a shared key, but \(word) uses a private key" }
  ]

  static let stored: [Stored<SignedToken>] = [
    .init(algorithm) { $0.algorithm = $1 }, .init(key) { $0.key = $1 }, .init(keyEncoding) { $0.keyEncoding = $1 },
    .init(keyID) { $0.keyID = $1 }, .init(claims) { $0.claims = $1 }, .init(lifetime) { $0.lifetime = $1.value },
    .init(identifier) { $0.hasIdentifier = $1 }, .init(joseHeader) { $0.header = $1 },
  ]

  static let algorithm = Field(
    "algorithm", .choice(of: SignedToken.Algorithm.self), default: .required,
    "The algorithm of the signature (RFC 7518).",
    details:
      "HS: a key shared with the server. RS: an RSA key of 2048 bits or more. ES: an EC key of P-256, P-384 or P-521.",
    edit: .keepsResult, examples: ["algorithm: ES256"], mistakes: ["algorithm: ↓none": .unknownValue])

  static let key = Field(
    "key", .key, default: .required, "The key that signs: a private key in PEM, or the shared key.",
    details: """
      PEM is PKCS#8, PKCS#1 or SEC 1 without a password. Line ends may be written as `\\n`. A key in the JSON file of a \
      service account is `{{ json(secrets.NAME).private_key }}`.
      """, edit: .asksAnew, examples: ["key: \"{{ secrets.PASSWORD }}\""],
    mistakes: ["key: ↓abc123": .plainCredential, "key: ↓''": .missingValue])

  static let keyEncoding = Field(
    "encoding", .choice(of: SignedToken.KeyEncoding.self), default: "text",
    "The encoding of a shared key.", details: "Only with HS256, HS384 and HS512.", edit: .keepsResult,
    examples: ["encoding: base64"],
    mistakes: [
      "encoding: ↓utf8": .unknownValue,
      "algorithm: RS256\n↓encoding: base64": .misplacedKey,
    ])

  static let keyID = Field(
    "key_id", .filledLine, default: "none", "The key's name at the server: `kid` in the header of the token.",
    edit: .keepsResult, examples: ["key_id: \"{{ vars.user }}\""], mistakes: ["key_id: ↓''": .missingValue])

  static let claims = Field(
    "claims", .jsonMapping(example: "claims: { iss: reactor }"), default: "none", "The claims of the token.",
    edit: .asksAnew, examples: ["claims: { iss: reactor, sub: \"{{ vars.user }}\", aud: [a, b] }"],
    mistakes: ["claims: ↓iss": .wrongKind, "claims: { iss: \"{{ vars.↓usr }}\" }": .templateUnknownVariable])

  static let lifetime = Field(
    "expires_after", .duration(1...31_622_400), default: "5m", "The time from `iat` to `exp`.",
    details: "Many servers refuse more than 10m or 1h. A run signs a new token shortly before the old one expires.",
    edit: .keepsResult, examples: ["expires_after: 10m"], mistakes: ["expires_after: ↓600": .invalidDuration])

  static let identifier = Field(
    "id", .boolean, default: "false", "Whether each token has a random identifier, the claim `jti` (JWT ID).",
    edit: .keepsResult, examples: ["id: true"], mistakes: ["id: ↓random": .invalidBoolean])

  static let joseHeader = Field(
    "headers", .jsonMapping(example: "headers: { x5t: abc }"), default: "none",
    "Members of the token's header in addition to `alg`, `typ` and `kid`.", edit: .keepsResult,
    examples: ["headers: { x5t: abc }"],
    mistakes: ["headers: ↓{ alg: none }": .authConflict, "headers: ↓[a]": .wrongKind])
}
