import SourceDiagnostics

/// Codes for problems with templates.
extension FlowCode {
  package static let templateUnclosed = FlowCode(
    "template.unclosed", "template is not closed",
    "'{{' opens a template, '}}' closes it. For the braces themselves write {{ \"{{\" }}.",
    .path("{{ vars.region‹→ }}›"))
  package static let templateEmpty = FlowCode(
    "template.empty", "empty template", "The braces are empty.", .path("{{ ‹→vars.region ›}}"))
  package static let foreignTemplate = FlowCode(
    "template.foreign-syntax", "template of another program",
    """
    A template is written {{ … }}, with two braces on each side. What shells and other template languages write, such \
    as ${NAME}, is text here and would be sent unchanged. If the text must contain it, write it in quotes in a \
    template: {{ '${NAME}' }}.
    """, .path("‹{ vars.region }→{{ vars.region }}›"))
  package static let templateUnknownRoot = FlowCode(
    "template.unknown-root", "unknown source of a value",
    """
    Values come from the file's variables (vars), its secrets (secrets) and the environment (env), and in a running \
    flow from its declarations, such as the record of a parent.
    """, .path("{{ ‹config→vars›.region }}"))
  package static let templateUnknownVariable = FlowCode(
    "template.unknown-variable", "unknown variable", "A template uses a variable that the file does not declare.",
    .path("{{ vars.‹regoin→region› }}"))
  package static let templateUnknownSecret = FlowCode(
    "template.unknown-secret", "unknown secret",
    "A template uses a secret that the file does not name under 'secrets'.",
    #"""
    reactor: 1
    secrets: [SHOP_TOKEN]
    http:
      base_url: https://api.example.com
      headers: { Authorization: "Bearer {{ ‹secrets.SHOP_TOKN→secrets.SHOP_TOKEN› }}" }
    flows:
      customers: { resource: /customers }
    """#)
  package static let templateNotAllowed = FlowCode(
    "template.not-allowed", "template not allowed here",
    "This value is used before templates are filled in, or must be the same in every run.",
    .flow(
      #"""
      resource: /customers
      description: ‹"customers of {{ env.REGION }}"→customers of one region›
      """#))
  package static let templateSecretNotAllowed = FlowCode(
    "template.secret-not-allowed", "secret not allowed here",
    "The text is shown in reports or becomes a file name, where a secret must not appear.",
    Sample(
      wrong: .flow(secrets: "SHOP_TOKEN", #"persistence: "out/{{ secrets.SHOP_TOKEN }}.json""#),
      right: .flow("persistence: out/customers.json")))
  package static let templateSecretInURL = FlowCode(
    "template.secret-in-url", "secret in a URL",
    "URLs are written to the logs of servers and proxies. Send the secret in a header if the server allows it.",
    Sample(
      wrong: .flow(
        secrets: "SHOP_TOKEN", #"resource: { path: /customers, query: { key: "{{ secrets.SHOP_TOKEN }}" } }"#),
      right: .flow(
        secrets: "SHOP_TOKEN",
        #"resource: { path: /customers, headers: { Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" } }"#)),
    severity: .warning)
  package static let templateUnsetVariable = FlowCode(
    "template.unset-variable", "variable without a value",
    "The variable has no default and no value was given for this run.")
  package static let templateUnsetSecret = FlowCode(
    "template.unset-secret", "secret without a value",
    "The secret is neither in the environment nor in the secret file.")
  package static let templateUnsetEnvironment = FlowCode(
    "template.unset-environment", "environment variable not set",
    "A template uses an environment variable that is not set.")
  package static let templateControlCharacter = FlowCode(
    "template.control-character", "value with a line break",
    "A value from outside contains a line break or NUL, which would change the structure of the request.")
}

/// Codes for problems with expressions in templates.
extension FlowCode {
  package static let expressionSyntax = FlowCode(
    "expression.syntax", "expression with a syntax error",
    """
    The braces contain one expression: names, values, operators and functions as docs/reference/expressions.md lists \
    them.
    """, .path("{{ vars.region + ‹→'1' ›}}"))
  package static let expressionName = FlowCode(
    "expression.unknown-name", "unknown member or function",
    "An expression uses a member that is not declared, or a function that does not exist.",
    .path("{{ ‹uper→upper›(vars.region) }}"))
  package static let expressionType = FlowCode(
    "expression.type", "value of the wrong type",
    "Values are never converted silently: a text is not a number, and a number is not a text.",
    .path("{{ vars.region + ‹vars.size→string(vars.size)› }}"))
  package static let expressionMissing = FlowCode(
    "expression.may-be-missing", "value that may be missing",
    "A value that may be absent or null needs a default before it is used.",
    .path("{{ vars.region == 'eu' ? 'europe' : ‹null→'world'› }}"))
  package static let expressionValue = FlowCode(
    "expression.value", "expression without a value",
    "The expression has no value in this run, for example because a text is not a number.")
}
