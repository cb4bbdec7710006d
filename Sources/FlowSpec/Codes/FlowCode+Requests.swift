import SourceDiagnostics

/// Codes for problems with requests.
extension FlowCode {
  package static let invalidURL = FlowCode(
    "flow.invalid-url", "invalid URL",
    """
    Base URLs are http or https with a host and without user information or fragment. Credentials belong in headers, \
    where they can be secrets.
    """,
    "reactor: 1\nhttp: { base_url: ‹api→https://api›.example.com }\nflows:\n  customers: { resource: /customers }")
  package static let invalidAddress = FlowCode(
    "flow.invalid-address", "not a host or address range",
    """
    The allowed servers are listed by host name, with '*' for any characters, or by address and range: IPv4 or IPv6, a \
    slash and the number of leading bits that count, the other bits being zero.
    """,
    """
    reactor: 1
    http:
      base_url: https://api.example.com
      allow: [‹10.1.2.3/8→api.example.com, 10.0.0.0/8›]
    flows:
      customers: { resource: /customers }
    """)
  package static let invalidMailAddress = FlowCode(
    "flow.invalid-mail-address", "not a mail address",
    "Mails are sent to and from plain addresses: a name, '@' and a host, without spaces, quotes and display names.",
    """
    reactor: 1
    http: { base_url: https://api.example.com }
    notify:
      night: { mail: { to: ‹Night shift <night@example.com>→night@example.com›, from: reactor@example.com } }
    flows:
      customers: { resource: /customers }
    """)
  package static let missingBaseURL = FlowCode(
    "flow.missing-base-url", "no base URL",
    "Paths are joined to a base URL, which neither the file nor the flow gives.",
    "reactor: 1\n‹→http: { base_url: https://api.example.com }\n›flows:\n  customers: { resource: /customers }")
  package static let invalidRequestPath = FlowCode(
    "flow.invalid-request-path", "invalid request path",
    """
    A path cannot have a query, fragment, scheme or host. The query has its own key, which encodes values, and the \
    host is in base_url.
    """, .flow("resource: ‹/customers?limit=10→{ path: /customers, query: { limit: 10 } }›"))
  package static let unknownParameter = FlowCode(
    "flow.unknown-parameter", "parameter without a counterpart",
    "Each name in braces in a path gets its value from 'params', and each value in 'params' belongs to such a name.",
    .flow(#"resource: { path: "/shops/{shop}/customers", params: { ‹shpo→shop›: north } }"#))
  package static let invalidHeader = FlowCode(
    "flow.invalid-header", "invalid header name",
    "Header names are tokens (RFC 9110): letters, digits and a few punctuation characters, without spaces.",
    .flow(#"resource: { path: /customers, headers: { ‹"X Key"→X-Key›: a } }"#))
  package static let reservedHeader = FlowCode(
    "flow.reserved-header", "header set by the transport",
    """
    Host, Content-Length, Transfer-Encoding and Connection are derived from the request itself; setting them by hand \
    would make request smuggling possible.
    """,
    .flow("‹resource: { path: /customers, headers: { Host: example.com } }→http: { base_url: https://example.com }›"))
  package static let bodyNotAllowed = FlowCode(
    "flow.body-not-allowed", "body not allowed with this method",
    "Servers ignore or reject bodies of GET and HEAD requests.",
    .flow("resource: { ‹path→method: POST, path›: /search, body: { json: { q: rome } } }"))
  package static let bodyForm = FlowCode(
    "flow.body-form", "not exactly one form of body", "A body is JSON, a form or text.",
    .flow("resource: { method: POST, path: /search, body: {‹→ text: rome ›} }"))
}

/// Codes for problems with authorization.
extension FlowCode {
  package static let authForm = FlowCode(
    "flow.auth-form", "not exactly one kind of authorization",
    "A request has one kind of authorization, which sends each credential in only one location.",
    .flow(secrets: "KEY", #"auth: { api_key: { header: X-API-Key, ‹query: key, value→value›: "{{ secrets.KEY }}" } }"#))
  package static let authConflict = FlowCode(
    "flow.auth-conflict", "contradicting authorization",
    """
    Two settings contradict each other, and one would be ignored silently: a header or parameter that 'auth' sets is \
    also set by hand, or a flow uses another server than the one of the file's credentials.
    """,
    #"""
    reactor: 1
    secrets: [KEY]
    http:
      base_url: https://api.example.com
      auth: { bearer: "{{ secrets.KEY }}" }
    flows:
      weather:
        resource: /today
        http: { base_url: https://weather.example.org }‹→
        auth: none›
    """#)
  package static let authBody = FlowCode(
    "flow.auth-body", "request without a body for the API key",
    "An API key that goes into the body needs a JSON object or a form to go into.",
    .flow(
      secrets: "KEY",
      #"""
      resource: ‹/customers→{ method: POST, path: /customers, body: { form: { all: yes } } }›
      auth: { api_key: { body: key, value: "{{ secrets.KEY }}" } }
      """#))
  package static let authValue = FlowCode(
    "flow.auth-value", "value that cannot be used for authorization",
    """
    The value cannot work: a user name with a colon would end at the colon, a scope with a space would be two scopes, \
    and a 'value' without {{ token }} would not send the token.
    """, .flow(secrets: "KEY", #"auth: { basic: { username: ‹"me:too"→me›, password: "{{ secrets.KEY }}" } }"#))
  package static let plainCredential = FlowCode(
    "flow.plain-credential", "credential written in the file",
    """
    Everyone who can read the file can read the credential. Declare a secret: its value comes from the environment or \
    from another file.
    """,
    Sample(
      wrong: .flow("auth: { bearer: abc123 }"),
      right: .flow(secrets: "KEY", #"auth: { bearer: "{{ secrets.KEY }}" }"#)), severity: .warning)
}

/// Codes for problems with requests that list fields.
extension FlowCode {
  package static let fieldGroups = FlowCode(
    "request.field-groups", "groups of fields that cannot be requested or joined",
    """
    A request with `field_groups` is sent once for each group. It must list the names of its group, the size of \
    a group needs a limit, and the records need a key by which they are joined.
    """,
    .flow(
      #"""
      resource: { path: /customers, query: { fields: "{{ join(‹['id', 'name']→field_group›, ',') }}" } }
      field_groups: { fields: [id, name, city], key: id, max: 2, by: $.id }
      """#))
}
