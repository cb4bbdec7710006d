public import FlowModel

enum SigV4Keys {
  static let construct = Construct(
    .sigv4, noun: "'sigv4'", "How each request is signed for AWS and for services that imitate it.",
    details: """
      The signature covers method, path, query, body, `Content-Type` and the headers whose names begin with `X-Amz-`. It \
      has the time of sending: retries and pages are signed anew. It sets the headers `Authorization`, `X-Amz-Date`, \
      `X-Amz-Content-Sha256` and `X-Amz-Security-Token`. A redirect is followed with the signature of the first request, \
      which most servers refuse.
      """, fields: [service, region, accessKey, secretKey, sessionToken],
    frame: AuthKeys.frame(
      "sigv4:\n  ◆",
      supplies: [
        "service: execute-api", "region: eu-central-1", "access_key: \"{{ secrets.SHOP_TOKEN }}\"",
        "secret_key: \"{{ secrets.PASSWORD }}\"",
      ]))

  static let stored: [Stored<SigV4<Located<Template>>>] = [
    .init(service) { $0.service = $1 }, .init(region) { $0.region = $1 }, .init(accessKey) { $0.accessKey = $1 },
    .init(secretKey) { $0.secretKey = $1 }, .init(sessionToken) { $0.sessionToken = $1 },
  ]

  static let service = Field(
    "service", .scopePart, default: .required, "The service's name in signatures: `s3`, `execute-api`, `dynamodb`, ….",
    details: "It is the first part of most host names. For `s3` the path is signed in the way of S3.", edit: .asksAnew,
    examples: ["service: s3"], mistakes: ["service: ↓a/b": .authValue, "service: ↓''": .missingValue])

  static let region = Field(
    "region", .scopePart, default: .required, "The region in signatures.", edit: .asksAnew,
    examples: ["region: us-east-1"], mistakes: ["region: ↓eu/west": .authValue])

  static let accessKey = Field(
    "access_key", .scopePart, default: .required, "The name of the key: AWS_ACCESS_KEY_ID.", edit: .asksAnew,
    examples: ["access_key: \"{{ secrets.SHOP_TOKEN }}\""], mistakes: ["access_key: ↓a/b": .authValue])

  static let secretKey = Field(
    "secret_key", .credential(), default: .required, "The key: AWS_SECRET_ACCESS_KEY.", edit: .asksAnew,
    examples: ["secret_key: \"{{ secrets.PASSWORD }}\""], mistakes: ["secret_key: ↓wJalrXUtn": .plainCredential])

  static let sessionToken = Field(
    "session_token", .credential(mayBeEmpty: true), default: "none",
    "The token of temporary credentials; may be empty.",
    edit: .asksAnew,
    examples: [
      "session_token: \"{{ secrets.SHOP_TOKEN }}\"", "session_token: \"{{ coalesce(secrets.SHOP_TOKEN, '') }}\"",
    ], mistakes: ["session_token: ↓FwoGZXIv": .plainCredential])
}

extension SigV4 {
  /// Whether a byte can be in the scope of a signature, whose parts are separated by other characters.
  public static func isScopeByte(_ byte: UInt8) -> Bool {
    ASCII.isNameCharacter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
