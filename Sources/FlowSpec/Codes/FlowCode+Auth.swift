import SourceDiagnostics

extension FlowCode {
  /// Codes about authorization.
  static let authEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .authForm, "not exactly one kind of authorization",
      "A request is authorized in one way, and a credential stands in one place of it.",
      wrong: .flow(
        secrets: "KEY", #"auth: { api_key: { header: X-API-Key, query: key, value: "{{ secrets.KEY }}" } }"#),
      right: .flow(secrets: "KEY", #"auth: { api_key: { header: X-API-Key, value: "{{ secrets.KEY }}" } }"#)),
    entry(
      .authConflict, "contradicting authorization",
      """
      Something is said twice, and one of the two would be silently passed over: a header or parameter that 'auth' \
      sets is also set by hand, or a flow goes to another server than the one that the file's credentials are for.
      """,
      wrong: #"""
        reactor: 1
        secrets: [KEY]
        http:
          base_url: https://api.example.com
          auth: { bearer: "{{ secrets.KEY }}" }
        flows:
          weather:
            resource: /today
            http: { base_url: https://weather.example.org }
        """#,
      right: #"""
        reactor: 1
        secrets: [KEY]
        http:
          base_url: https://api.example.com
          auth: { bearer: "{{ secrets.KEY }}" }
        flows:
          weather:
            resource: /today
            http: { base_url: https://weather.example.org }
            auth: none
        """#),
    entry(
      .authBody, "no body for the key", "An API key that goes into the body needs a JSON object or a form to go into.",
      wrong: .flow(secrets: "KEY", #"auth: { api_key: { body: key, value: "{{ secrets.KEY }}" } }"#),
      right: .flow(
        secrets: "KEY",
        #"""
        resource: { method: POST, path: /customers, body: { form: { all: yes } } }
        auth: { api_key: { body: key, value: "{{ secrets.KEY }}" } }
        """#)),
    entry(
      .authValue, "not a value for authorization",
      """
      The value cannot do what it is for: a user name with a colon would be cut there, a scope with a blank would be \
      two, and a 'value' without {{ token }} would send the same whatever the token is.
      """, wrong: .flow(secrets: "KEY", #"auth: { basic: { username: "me:too", password: "{{ secrets.KEY }}" } }"#),
      right: .flow(secrets: "KEY", #"auth: { basic: { username: me, password: "{{ secrets.KEY }}" } }"#)),
    entry(
      .plainCredential, "credential written in the file",
      "Who can read the file can read the credential. Declare a secret: it comes from the environment or a file apart.",
      wrong: .flow("auth: { bearer: abc123 }"),
      right: .flow(secrets: "KEY", #"auth: { bearer: "{{ secrets.KEY }}" }"#)),
  ]
}
