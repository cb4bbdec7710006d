/// The keys of a rule of `errors`.
enum ErrorRuleKeys {
  static let construct = Construct(
    .errorRule, noun: "a rule of 'errors'", "What is done about some responses.",
    details: """
      `status` is a number; `headers` are texts by their name in lower case, several of one name joined by `, `; \
      `response` is the body as JSON, else its text, else null, as it is when the body is larger than 1 MiB. The body \
      is held only where a rule looks at it. An expression that finds nothing to compare does not apply.
      """, fields: [when, action, message],
    frame: .flow("resource: /customers\nerrors:\n  -\n    ◆"))

  static let when = Field(
    "when", .condition, default: .required, "Whether the rule applies: an expression.", secrets: .refused,
    edit: .asksAnew,
    examples: [
      "when: status == 404\ndo: skip", "when: response.error.code in ['BUSY', 'LOCKED']\ndo: retry",
      "when: \"coalesce(headers['x-state'], '') == 'indexing'\"\ndo: wait",
    ],
    mistakes: [
      "when: ↓status\ndo: skip": .expressionType, "when: ↓body.error == 1\ndo: skip": .templateUnknownRoot,
      "when: status ↓=\ndo: skip": .expressionSyntax,
    ])

  static let action = Field(
    "do", .choice(of: ErrorRuleDeclaration.Action.self), default: .required, "What is done.",
    details: """
      `fail`: the request has failed. `retry`: it is sent again as `retry` allows, whatever its `on` says; a response \
      that stays so has failed. `wait`: as `retry`, and the host's other requests wait as long. `skip`: the response \
      counts as one without records, which ends a pull by pages; of a parent in a result that is replaced no record \
      stays. `stop`: as `skip`, and nothing more is asked for, also not for further parents, whose earlier records \
      stay.
      """, edit: .asksAnew, examples: ["do: fail\nwhen: response.ok == false"],
    mistakes: ["when: status == 404\ndo: ↓ignore": .unknownValue])

  static let message = Field(
    "message", .line, default: "the rule's condition", "What the error says.",
    details: "For `fail`, `retry` and `wait`.", secrets: .refused, edit: .keepsResult,
    examples: ["when: status == 402\ndo: fail\nmessage: \"out of credit: {{ response.detail }}\""],
    mistakes: [
      "when: status == 404\ndo: skip\n↓message: gone": .misplacedKey,
      "when: status == 402\ndo: fail\nmessage: \"{{ ↓body.detail }}\"": .templateUnknownRoot,
    ])
}
