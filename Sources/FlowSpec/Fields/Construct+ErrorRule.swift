extension Construct.Flow {
  static let errors = FieldSpec(
    "errors", .list(.construct(.errorRule)), default: "none", "What is done about answers that are errors.",
    details: """
      The first rule that applies counts; an answer to which none applies is judged by `retry` and `expect.status`. A \
      flow's own rules replace those of `defaults`.
      """, row: 6,
    examples: [
      "errors: [{ when: status == 404, do: skip }]",
      "errors:\n  - { when: \"status == 403 && headers['x-ratelimit-remaining'] == '0'\", do: wait }\n"
        + "  - { when: \"response.error.code == 'BUSY'\", do: retry }\n"
        + "  - { when: status >= 500, do: fail, message: \"the shop is down ({{ status }})\" }",
    ],
    mistakes: [
      .init("errors: ↓{ when: status == 404, do: skip }", .wrongKind), .init("errors: ↓[]", .missingValue),
      .init("errors: [{ when: status == 404, do: skip, ↓then: stop }]", .unknownKey),
    ])
}

extension Construct {
  static let errorRule = Construct(
    .errorRule, noun: "a rule of 'errors'", "What is done about some answers.",
    details: """
      `status` is a number; `headers` are texts by their name in lower case, several of one name joined by `, `; \
      `response` is the body as JSON, else its text, else null, as it is when the body is larger than 1 MiB. The body is \
      held only where a rule looks at it. An expression that finds nothing to compare does not apply.
      """,
    fields: [
      FieldSpec(
        "when", .expression, required: true, "Whether the rule applies: an expression.", secrets: .refused, row: 6,
        examples: [
          "when: status == 404\ndo: skip", "when: response.error.code in ['BUSY', 'LOCKED']\ndo: retry",
          "when: \"coalesce(headers['x-state'], '') == 'indexing'\"\ndo: wait",
        ],
        mistakes: [
          .init("when: ↓status\ndo: skip", .expressionType),
          .init("when: ↓body.error == 1\ndo: skip", .templateUnknownRoot),
          .init("when: status ↓=\ndo: skip", .expressionSyntax),
        ]),
      FieldSpec(
        "do", .choice(ErrorRuleDeclaration.Action.allCases.map(\.rawValue)), required: true, "What is done.",
        details: """
          `fail`: the request has failed. `retry`: it is sent again as `retry` allows, whatever its `on` says; an answer \
          that stays so has failed. `wait`: as `retry`, and the host's other requests wait as long. `skip`: the answer \
          counts as one without records, which ends a pull by pages; of a parent in a result that is replaced no record \
          stays. `stop`: as `skip`, and nothing more is asked for, also not for further parents, whose earlier records stay.
          """, row: 6,
        examples: ["do: fail\nwhen: response.ok == false"],
        mistakes: [.init("when: status == 404\ndo: ↓ignore", .unknownValue)]),
      FieldSpec(
        "message", .text, default: "the rule's condition", "What the error says.",
        details: "For `fail`, `retry` and `wait`.", templated: true, secrets: .refused, row: 6,
        examples: ["when: status == 402\ndo: fail\nmessage: \"out of credit: {{ response.detail }}\""],
        mistakes: [
          .init("when: status == 404\ndo: skip\n↓message: gone", .misplacedKey),
          .init("when: status == 402\ndo: fail\nmessage: \"{{ ↓body.detail }}\"", .templateUnknownRoot),
        ]),
    ],
    frame: Frame(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          errors:
            -
              ◆
      """))
}
