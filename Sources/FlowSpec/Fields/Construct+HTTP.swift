extension Construct {
  static let http = Construct(
    .http, noun: "'http'", "How a server is reached.",
    details: """
      At the top of the file it holds for every flow; in a flow it overrides the file's keys one by one, and its \
      `headers` are added to the file's.
      """,
    fields: [
      FieldSpec(
        "base_url", .url(orWords: []), default: "none: the file or the flow must have one",
        "The URL to which the paths of resources are joined.",
        details: """
          http or https with a host; a path and a query are kept, user information and fragments are refused. \
          Credentials belong into headers, where they can be secrets.
          """, templated: true, secrets: .warned,
        examples: ["base_url: https://api.example.com/v2", "base_url: \"http://127.0.0.1:{{ env.PORT }}\""],
        mistakes: [
          .init("base_url: ↓api.example.com", .invalidURL), .init("base_url: ↓ftp://example.com", .invalidURL),
          .init("base_url: https://↓me:secret@example.com", .invalidURL),
          .init("base_url: https://example.com/v2↓#top", .invalidURL),
          .init("base_url: \"https://{{ vars.↓regoin }}.example.com\"", .templateUnknownVariable),
        ]),
      FieldSpec(
        "headers", .map(.header, .text), default: "none", "Request headers by name.",
        details: """
          A flow's header replaces the file's of the same name, whatever its case. `Host`, `Content-Length`, \
          `Transfer-Encoding` and `Connection` are set by the transport. Values that hold a secret are masked \
          everywhere and are not sent to another origin after a redirect.
          """, templated: true,
        examples: [
          "headers: { Accept: application/json }", "headers: { Authorization: \"Bearer {{ secrets.SHOP_TOKEN }}\" }",
        ],
        mistakes: [
          .init("headers: { ↓Content-Length: 12 }", .reservedHeader),
          .init("headers: { ↓\"X Key\": a }", .invalidHeader),
          .init("headers: { X-Key: ↓\"a\\r\\nX-Admin: 1\" }", .controlCharacter),
          .init("headers: { Authorization: \"Bearer {{ secrets.↓SHOP_TOKN }}\" }", .templateUnknownSecret),
        ]),
      Auth.key,
      FieldSpec(
        "timeout", .duration(0.001...604_800), default: "1m",
        "The longest a request may take, from connecting to the last byte.",
        details: """
          At most 7 days. There is always a limit: a server that never answers cannot hold a run. Once an answer has begun, \
          100 bytes a second must come, within 30 seconds or half of this time, whichever is longer.
          """,
        examples: ["timeout: 30s", "timeout: PT2M"],
        mistakes: [.init("timeout: ↓30", .invalidDuration), .init("timeout: ↓0s", .outOfRange)]),
      FieldSpec(
        "max_bytes", .size, default: "2GiB", "The largest answer that is accepted, after decoding.",
        details: "Units are B, kB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024).",
        examples: ["max_bytes: 64MiB", "max_bytes: 1000000"],
        mistakes: [.init("max_bytes: ↓32mb", .invalidSize)]),
      FieldSpec(
        "redirects", .choice(RedirectDeclaration.allCases.map(\.rawValue)), default: "same_origin",
        "Which redirects are followed: those within scheme, host and port, all, or none.",
        details: """
          At most 10 are followed, never from https to http. Headers that hold secrets stay with the first origin.
          """,
        examples: ["redirects: any"], mistakes: [.init("redirects: ↓same-origin", .unknownValue)]),
      FieldSpec(
        "allow", .list(.hostOrNetwork), default: "every host, no link-local address",
        "The only hosts and addresses that may be connected to.",
        details: """
          Names are compared with the URL's host (`*` stands for any characters), addresses and ranges with what the \
          host resolves to at the moment of the connection; one entry that fits is enough. Redirects are held to it \
          too. Link-local addresses (169.254.0.0/16, fe80::/10, in whatever spelling), where clouds keep their \
          metadata services, are refused unless an entry begins inside of their range. A proxy resolves names itself: \
          behind one, a name must be listed by name.
          """,
        examples: ["allow: [api.example.com, \"*.cdn.example.com\"]", "allow: [10.0.0.0/8, \"fd00::/8\", 127.0.0.1]"],
        mistakes: [
          .init("allow: ↓[]", .missingValue), .init("allow: [↓https://api.example.com/v2]", .invalidAddress),
          .init("allow: [api.example.com, ↓10.0.0.1/8]", .invalidAddress),
          .init("allow: [↓10.0.0.0/33]", .invalidAddress), .init("allow: [↓10.*]", .invalidAddress),
          .init("allow: [↓\"localhost:8080\"]", .invalidAddress), .init("allow: ↓api.example.com", .wrongKind),
          .init("allow: [a.example.com, ↓A.example.com]", .duplicateItem),
        ]),
      FieldSpec(
        "ca_file", .text, default: "the system's certificates",
        "A PEM file of certificate authorities to trust, relative to the flow file.",
        examples: ["ca_file: ca/internal.pem"], mistakes: [.init("ca_file: ↓''", .missingValue)]),
      FieldSpec(
        "proxy", .url(orWords: ["none"]), default: "the environment's (`https_proxy`, `http_proxy`, `no_proxy`)",
        "The proxy to go through, or `none`.",
        templated: true,
        examples: ["proxy: http://proxy.example.com:3128", "proxy: none"],
        mistakes: [.init("proxy: ↓proxy.example.com:3128", .invalidURL)]),
      FieldSpec(
        "rate", .construct(.rate), default: "as fast as the server allows", "How fast the host may be asked.", row: 23,
        examples: ["rate: 10/s", "rate: { max: 600/m, concurrency: 2 }"],
        mistakes: [.init("rate: ↓10", .invalidRate), .init("rate: ↓[10/s]", .wrongKind)]),
    ],
    later: [
      LaterKey(
        "cache", row: 28, "answers kept for several flows",
        instead: "persist the result: 'expires_after' and 'conditional' say when the server is asked again")
    ],
    frame: Frame(
      """
      reactor: 1
      vars: { region: eu }
      secrets: [SHOP_TOKEN]
      http:
        ◆
      flows: { orders: { resource: /orders } }
      """, supplies: ["base_url: https://api.example.com"]))
}
