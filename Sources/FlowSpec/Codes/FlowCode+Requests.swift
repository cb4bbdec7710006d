import SourceDiagnostics

extension FlowCode {
  /// Codes about requests.
  static let requestsEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .invalidURL, "invalid URL",
      """
      Base URLs are http or https with a host and without user information or fragment. Credentials belong into \
      headers, where they can be secrets.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: api.example.com }
        flows:
          customers: { resource: /customers }
        """#, right: .flow("resource: /customers")),
    entry(
      .invalidAddress, "not a host or address range",
      """
      What may be connected to is listed by host name, with '*' for any characters, or by address and range: IPv4 or \
      IPv6, a slash and the number of leading bits that count, the other bits being zero.
      """,
      wrong: #"""
        reactor: 1
        http:
          base_url: https://api.example.com
          allow: [10.1.2.3/8]
        flows:
          customers: { resource: /customers }
        """#,
      right: #"""
        reactor: 1
        http:
          base_url: https://api.example.com
          allow: [api.example.com, 10.0.0.0/8]
        flows:
          customers: { resource: /customers }
        """#),
    entry(
      .missingBaseURL, "no base URL", "Paths are joined to a base URL, which neither the file nor the flow gives.",
      wrong: "reactor: 1\nflows:\n  customers: { resource: /customers }", right: .flow("resource: /customers")),
    entry(
      .invalidRequestPath, "invalid request path",
      """
      A path has no query, no fragment, no scheme and no host: the query has a key of its own, where values are \
      encoded, and the host stands in base_url.
      """, wrong: .flow("resource: /customers?limit=10"),
      right: .flow("resource: { path: /customers, query: { limit: 10 } }")),
    entry(
      .unknownParameter, "parameter without a counterpart",
      "Braces in a path take their values from 'params', and every value there belongs to one of them.",
      wrong: .flow(#"resource: { path: "/shops/{shop}/customers", params: { shpo: north } }"#),
      right: .flow(#"resource: { path: "/shops/{shop}/customers", params: { shop: north } }"#)),
    entry(
      .invalidHeader, "invalid header name",
      "Header names are tokens (RFC 9110): letters, digits and a few signs, no spaces.",
      wrong: .flow(#"resource: { path: /customers, headers: { "X Key": a } }"#),
      right: .flow("resource: { path: /customers, headers: { X-Key: a } }")),
    entry(
      .reservedHeader, "header set by the transport",
      """
      Host, Content-Length, Transfer-Encoding and Connection follow from the request itself; setting them by hand \
      allows requests to be smuggled.
      """, wrong: .flow("resource: { path: /customers, headers: { Host: example.com } }"),
      right: .flow("http: { base_url: https://example.com }")),
    entry(
      .bodyNotAllowed, "body not allowed with this method", "Servers ignore or reject bodies of GET and HEAD requests.",
      wrong: .flow("resource: { path: /search, body: { json: { q: rome } } }"),
      right: .flow("resource: { method: POST, path: /search, body: { json: { q: rome } } }")),
    entry(
      .bodyForm, "not exactly one form of body", "A body is JSON, a form or text.",
      wrong: .flow("resource: { method: POST, path: /search, body: {} }"),
      right: .flow("resource: { method: POST, path: /search, body: { text: rome } }")),
  ]
}
