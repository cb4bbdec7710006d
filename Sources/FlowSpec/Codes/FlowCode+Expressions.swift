import SourceDiagnostics

extension FlowCode {
  /// Codes about expressions in templates.
  static let expressionsEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .expressionSyntax, "expression that cannot be read",
      """
      Between the braces stands one expression: names, values, operators and functions as docs/reference/expressions.md
      lists them.
      """,
      wrong: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ vars.region + }}/customers"
        """#,
      right: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ vars.region + '1' }}/customers"
        """#),
    entry(
      .expressionName, "unknown member or function",
      """
      An expression uses a member that is not declared, or a function that does not exist.
      """,
      wrong: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ uper(vars.region) }}/customers"
        """#,
      right: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ upper(vars.region) }}/customers"
        """#),
    entry(
      .expressionType, "value of the wrong type",
      """
      Values are never guessed into another type: a text is no number, and a number no text.
      """,
      wrong: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ vars.region + vars.size }}/customers"
        """#,
      right: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ vars.region + string(vars.size) }}/customers"
        """#),
    entry(
      .expressionMissing, "value that may be missing",
      """
      A value that may be absent or null needs a default before it is used.
      """,
      wrong: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ vars.region == 'eu' ? 'europe' : null }}/customers"
        """#,
      right: #"""
        reactor: 1
        vars: { region: eu, size: { type: integer, default: 10 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: "/{{ vars.region == 'eu' ? 'europe' : 'world' }}/customers"
        """#),
    entry(
      .expressionValue, "expression without a value",
      "With the values of this run the expression has none, for example because a text is no number.",
      wrong: nil, right: nil),
  ]
}
