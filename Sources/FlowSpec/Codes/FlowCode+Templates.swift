import SourceDiagnostics

extension FlowCode {
  /// Codes about templates.
  static let templatesEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .templateUnclosed, "template is not closed",
      "'{{' opens a template, '}}' closes it. For the braces themselves write {{ \"{{\" }}.",
      wrong: .flow(vars: "region: eu", #"resource: "/{{ vars.region/customers""#),
      right: .flow(vars: "region: eu", #"resource: "/{{ vars.region }}/customers""#)),
    entry(
      .templateEmpty, "empty template", "There is nothing to fill in.",
      wrong: .flow(vars: "region: eu", #"resource: "/{{ }}/customers""#),
      right: .flow(vars: "region: eu", #"resource: "/{{ vars.region }}/customers""#)),
    entry(
      .templateUnknownRoot, "unknown source of a value",
      """
      Values come from the file's variables (vars), its secrets (secrets) and the environment (env), and while a flow \
      runs from what it declares, such as the record of a parent.
      """, wrong: .flow(vars: "region: eu", #"resource: "/{{ config.region }}/customers""#),
      right: .flow(vars: "region: eu", #"resource: "/{{ vars.region }}/customers""#)),
    entry(
      .templateUnknownVariable, "unknown variable", "A template uses a variable that the file does not declare.",
      wrong: .flow(vars: "region: eu", #"resource: "/{{ vars.regoin }}/customers""#),
      right: .flow(vars: "region: eu", #"resource: "/{{ vars.region }}/customers""#)),
    entry(
      .templateUnknownSecret, "unknown secret", "A template uses a secret that the file does not name under 'secrets'.",
      wrong: #"""
        reactor: 1
        secrets: [SHOP_TOKEN]
        http:
          base_url: https://api.example.com
          headers: { Authorization: "Bearer {{ secrets.SHOP_TOKN }}" }
        flows:
          customers: { resource: /customers }
        """#,
      right: #"""
        reactor: 1
        secrets: [SHOP_TOKEN]
        http:
          base_url: https://api.example.com
          headers: { Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" }
        flows:
          customers: { resource: /customers }
        """#),
    entry(
      .templateNotAllowed, "template not allowed here",
      "This value is used before templates are filled in, or has to be the same in every run.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            description: "customers of {{ env.REGION }}"
            resource: /customers
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            description: customers of one region
            resource: /customers
        """#),
    entry(
      .templateSecretNotAllowed, "secret not allowed here",
      "The text is shown in reports or becomes a file name, where a secret must not appear.",
      wrong: .flow(secrets: "SHOP_TOKEN", #"persistence: "out/{{ secrets.SHOP_TOKEN }}.json""#),
      right: .flow("persistence: out/customers.json")),
    entry(
      .templateSecretInURL, "secret in a URL",
      "URLs are written to the logs of servers and proxies. Send the secret in a header if the server allows it.",
      wrong: .flow(
        secrets: "SHOP_TOKEN", #"resource: { path: /customers, query: { key: "{{ secrets.SHOP_TOKEN }}" } }"#),
      right: #"""
        reactor: 1
        secrets: [SHOP_TOKEN]
        http:
          base_url: https://api.example.com
          headers: { Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" }
        flows:
          customers: { resource: /customers }
        """#),
    entry(
      .templateUnsetVariable, "variable without a value",
      "The variable has no default and no value was given for this run."),
    entry(
      .templateUnsetSecret, "secret without a value",
      "The secret is neither in the environment nor in the secret file."),
    entry(
      .templateUnsetEnvironment, "environment variable not set",
      "A template uses an environment variable that is not set."),
    entry(
      .templateControlCharacter, "value with a line break",
      "A value from outside holds a line break or NUL and would change the request's structure."),
  ]
}
