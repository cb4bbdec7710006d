import SourceDiagnostics

extension FlowCode {
  /// Codes about expressions in templates.
  static let expressionsEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .expressionSyntax, "expression that cannot be read",
      """
      Between the braces stands one expression: names, values, operators and functions as \
      docs/reference/expressions.md
      lists them.
      """,
      wrong: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }", #"resource: "/{{ vars.region + }}/customers""#),
      right: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }", #"resource: "/{{ vars.region + '1' }}/customers""#)),
    entry(
      .expressionName, "unknown member or function",
      "An expression uses a member that is not declared, or a function that does not exist.",
      wrong: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }", #"resource: "/{{ uper(vars.region) }}/customers""#),
      right: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }", #"resource: "/{{ upper(vars.region) }}/customers""#)),
    entry(
      .expressionType, "value of the wrong type",
      "Values are never guessed into another type: a text is no number, and a number no text.",
      wrong: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }",
        #"resource: "/{{ vars.region + vars.size }}/customers""#),
      right: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }",
        #"resource: "/{{ vars.region + string(vars.size) }}/customers""#)),
    entry(
      .expressionMissing, "value that may be missing",
      "A value that may be absent or null needs a default before it is used.",
      wrong: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }",
        #"resource: "/{{ vars.region == 'eu' ? 'europe' : null }}/customers""#),
      right: .flow(
        vars: "region: eu, size: { type: integer, default: 10 }",
        #"resource: "/{{ vars.region == 'eu' ? 'europe' : 'world' }}/customers""#)),
    entry(
      .expressionValue, "expression without a value",
      "With the values of this run the expression has none, for example because a text is no number."),
  ]
}
