internal import FlowModel

enum HTTPKeys {
  static let construct = Construct(
    .http, noun: "'http'", "How a server is reached.",
    details: """
      At the top of the file it applies to every flow. In a flow it overrides the file's keys one by one, and its \
      `headers` are added to the file's.
      """,
    fields: [
      baseURL, headers, auth, timeout, maxBytes, redirects, allow, caFile, clientCertificate, proxy, rate, cache,
      traceparent,
    ],
    frame: .init(
      """
      reactor: 1
      vars: { region: eu }
      secrets: [SHOP_TOKEN]
      http:
        ◆
      flows: { orders: { resource: /orders } }
      """, supplies: ["base_url: https://api.example.com"]))

  /// The keys that say how requests are sent.
  static let stored: [Stored<Transfer>] = [
    .init(timeout) { $0.timeout = $1.value }, .init(maxBytes) { $0.maxBytes = $1 },
    .init(redirects) { $0.redirects = $1 }, .init(allow) { $0.allow = $1 }, .init(caFile) { $0.caFile = $1 },
    .init(proxy) { $0.proxy = $1 }, .init(rate) { $0.rate = $1 }, .init(cache) { $0.sharesResponses = $1 == "run" },
    .init(traceparent) { $0.sendsTraceparent = $1 },
  ]

  static let auth = Field(
    "auth", .construct(.auth) { $0.auth($1) }, default: "none", "How requests are authorized.",
    details: """
      In `http` at the top of the file it applies to every flow. A flow's own `auth` replaces it as a whole, and \
      `auth: none` sends nothing. A flow with another server than the file's `base_url` needs its own `auth`. \
      Credentials are sent to the flow's own origin only, never after a redirect to another one, and are never shown.
      """, edit: .byItsKeys, examples: ["auth: { bearer: \"{{ secrets.SHOP_TOKEN }}\" }", "auth: none"],
    mistakes: [
      "auth: ↓bearer": .unknownValue, "auth: { ↓baerer: \"{{ secrets.SHOP_TOKEN }}\" }": .unknownKey,
      "↓auth: {}": .authForm,
    ])

  static let baseURL = Field(
    "base_url", .url, default: "none: the file or the flow must have one",
    "The URL to which the paths of resources are joined.",
    details: """
      http or https with a host; a path and a query are allowed, user information and fragments are not. Credentials \
      belong in headers, where they can be secrets.
      """, secrets: .warned, edit: .asksAnew,
    examples: ["base_url: https://api.example.com/v2", "base_url: \"http://127.0.0.1:{{ env.PORT }}\""],
    mistakes: [
      "base_url: ↓api.example.com": .invalidURL, "base_url: ↓ftp://example.com": .invalidURL,
      "base_url: https://↓me:secret@example.com": .invalidURL, "base_url: https://example.com/v2↓#top": .invalidURL,
      "base_url: \"https://{{ vars.↓regoin }}.example.com\"": .templateUnknownVariable,
    ])

  static let headers = Field(
    "headers", .headers, default: "none", "Request headers by name.",
    details: """
      A flow's header replaces the file's header of the same name; case does not matter. `Host`, `Content-Length`, \
      `Transfer-Encoding` and `Connection` are set by the transport. Values with a secret are masked everywhere and \
      are not sent to another origin after a redirect.
      """, edit: .asksAnew,
    examples: [
      "headers: { Accept: application/json }", "headers: { Authorization: \"Bearer {{ secrets.SHOP_TOKEN }}\" }",
    ],
    mistakes: [
      "headers: { ↓Content-Length: 12 }": .reservedHeader, "headers: { ↓\"X Key\": a }": .invalidHeader,
      "headers: { X-Key: ↓\"a\\r\\nX-Admin: 1\" }": .controlCharacter,
      "headers: { Authorization: \"Bearer {{ secrets.↓SHOP_TOKN }}\" }": .templateUnknownSecret,
    ])

  static let timeout = Field(
    "timeout", .duration(0.001...604_800), default: "1m",
    "The maximum time of a request, from connecting to the last byte.",
    details: """
      At most 7 days. A limit always applies, so a silent server cannot block a run. Once a response has started, it \
      must deliver 100 bytes a second, measured over 30 seconds or half of this time, whichever is longer.
      """, edit: .keepsResult, examples: ["timeout: 30s", "timeout: PT2M"],
    mistakes: ["timeout: ↓30": .invalidDuration, "timeout: ↓0s": .outOfRange])

  static let maxBytes = Field(
    "max_bytes", .size, default: "2GiB", "The maximum size of a response, after decoding.",
    details: "Units are B, kB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024).", edit: .keepsResult,
    examples: ["max_bytes: 64MiB", "max_bytes: 1000000"], mistakes: ["max_bytes: ↓32mb": .invalidSize])

  static let redirects = Field(
    "redirects", .choice(of: Transfer.Redirects.self), default: "same_origin",
    "Which redirects are followed: those with the same scheme, host and port, all, or none.",
    details:
      "At most 10 are followed, never from https to http. Headers with secrets are sent only to the first origin.",
    edit: .asksAnew, examples: ["redirects: any"], mistakes: ["redirects: ↓same-origin": .unknownValue])

  static let allow = Field(
    "allow", .allow, default: "every host, no link-local address",
    "The only hosts and addresses that may be connected to.",
    details: """
      Names are compared with the URL's host (`*` stands for any characters), addresses and ranges with the address of \
      the host at the time of the connection; one matching entry is enough. Redirects are checked too. Link-local \
      addresses (169.254.0.0/16, fe80::/10, in whatever spelling), where clouds keep their metadata services, are not \
      allowed unless an entry is inside their range. A proxy resolves names itself: with a proxy, a name must be \
      listed by name.
      """, edit: .keepsResult,
    examples: ["allow: [api.example.com, \"*.cdn.example.com\"]", "allow: [10.0.0.0/8, \"fd00::/8\", 127.0.0.1]"],
    mistakes: [
      "allow: ↓[]": .missingValue, "allow: [↓https://api.example.com/v2]": .invalidAddress,
      "allow: [api.example.com, ↓10.0.0.1/8]": .invalidAddress, "allow: [↓10.0.0.0/33]": .invalidAddress,
      "allow: [↓10.*]": .invalidAddress, "allow: [↓\"localhost:8080\"]": .invalidAddress,
      "allow: ↓api.example.com": .wrongKind, "allow: [a.example.com, ↓A.example.com]": .duplicateItem,
    ])

  static let caFile = Field(
    "ca_file", .filePath, default: "the system's certificates",
    "A PEM file of certificate authorities to trust, relative to the flow file.", edit: .keepsResult,
    examples: ["ca_file: ca/internal.pem"], mistakes: ["ca_file: ↓''": .missingValue])

  static let clientCertificate = Field(
    "client_certificate", .construct(.clientCertificate) { $0.clientCertificate($1) }, default: "none",
    "The certificate that the client shows to the server.", edit: .byItsKeys,
    examples: ["client_certificate: { file: tls/client.pem, key: tls/client.key }", "client_certificate: none"],
    mistakes: ["client_certificate: ↓client.pem": .unknownValue, "↓client_certificate: {}": .missingKey])

  static let proxy = Field(
    "proxy", .proxy, default: "the environment's (`https_proxy`, `http_proxy`, `no_proxy`)",
    "The URL of the proxy for all requests, or `none`.", edit: .keepsResult,
    examples: ["proxy: http://proxy.example.com:3128", "proxy: none"],
    mistakes: ["proxy: ↓proxy.example.com:3128": .invalidURL])

  static let rate = Field(
    "rate", .construct(.rate) { $0.rate($1) }, default: "as fast as the server allows",
    "The limit on the rate of requests to the host.", edit: .keepsResult,
    examples: ["rate: 10/s", "rate: [10/s, 1000/h]", "rate: { max: 600/m, concurrency: 2 }"],
    mistakes: ["rate: ↓10": .invalidRate, "rate: [10/s, ↓fast]": .invalidRate])

  static let cache = Field(
    "cache", .choice(["run", "none"]), default: "none: every request is sent",
    "Whether equal requests of a run share a response: `run` or `none`.",
    details: """
      With `run`, a GET or HEAD request with the same URL, headers, credentials and body as an earlier one of the run \
      gets the earlier response; equal requests at the same time are sent once. Flows share responses if they have the \
      same connection settings (such as proxy and certificates) and no `errors`. A response is kept if it is a \
      success, `404` or `410`, or if a rule says `skip`, and is at most 4 MiB. All kept responses take at most 64 MiB; \
      the least recently used are dropped first. The next run asks again: results of earlier runs are used by \
      `persistence` with `expires_after`.
      """, edit: .keepsResult, examples: ["cache: run", "cache: none"],
    mistakes: ["cache: ↓1d": .unknownValue, "cache: ↓true": .unknownValue])

  static let traceparent = Field(
    "traceparent", .boolean, default: "false",
    "Whether requests have the header `traceparent`, so that the server's logs and traces can be assigned to the run.",
    details: """
      The header of W3C Trace Context has the id of a trace, which all requests of the run have in common, and the id of \
      a span, which each request has for itself. With `--otlp` they are those of the trace that is sent. Without it no \
      span is recorded, and the header says so; the id of the trace is `trace_id` in the run summary. If the environment \
      variable `TRACEPARENT` names a span, the run is a part of that trace. The header is sent to the origin of \
      `base_url`, not to another one, and not in requests for tokens. It is not part of signatures, recordings, or of \
      what identifies a request. A header `traceparent` in `headers` is sent instead.
      """, edit: .keepsResult, examples: ["traceparent: true"], mistakes: ["traceparent: ↓on": .invalidBoolean])
}
