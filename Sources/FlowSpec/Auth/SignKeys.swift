enum SignKeys {
  static let construct = Construct(
    .sign, noun: "'sign'", "Headers and query parameters that are computed over each request.",
    details: """
      They are computed when the request is sent, also for each page and each retry; `now()` is that \
      moment in whole milliseconds. `request` has \
      the members `method`, `url`, `host`, `path` and `query` as they are sent, `target` (path and query) and `body` (text, \
      empty without a body).
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
      Each is computed over the request with those before it, and added at the end. A recording needs \
      `fixture: { match: { ignore_query: […] } }` for parameters that change.
      """, edit: .asksAnew,
    examples: [
      """
      query:
        timestamp: \"{{ now().format('epoch_ms') }}\"
        signature: \"{{ hmac_sha256(request.query, secrets.PASSWORD) }}\"
      """
    ], mistakes: ["query: { signature: \"{{ request.↓pat }}\" }": .expressionName, "query: ↓a": .wrongKind])
}
