internal import Expressions
internal import FlowModel

enum ErrorRuleKeys {
  static let construct = Construct(
    .errorRule, noun: "a rule of 'errors'", "How some responses are handled.",
    details: """
      `status` is a number; `headers` are texts by their name in lower case, several of one name joined by `, `; \
      `response` is the body as JSON, else its text, else null; it is null too if the body is larger than 1 MiB. The \
      body is kept in memory only if a rule uses it. A rule whose expression finds no value does not apply.
      """, fields: [when, action, message, wait],
    requirements: [
      .only([message], with: action, ["fail", "retry", "wait"], code: .misplacedKey),
      .only(
        [wait], with: action, ["retry", "wait"], code: .misplacedKey,
        help: "leave it out, or write 'do: retry' or 'do: wait'"),
    ],
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
    "do", .choice(of: ErrorRule.Action.self), default: .required, "The action.",
    details: """
      `fail`: the request has failed. `retry`: it is sent again within the limits of `retry`, whatever `on` lists; it \
      fails if the response stays the same. `wait`: as `retry`, and the host's other requests wait too. `skip`: the \
      response counts as one without records. It ends a pull by pages, and with `mode: replace` no earlier record of \
      its parent stays. `stop`: as `skip`, and no more requests are sent, not even for other parents, whose earlier \
      records stay. `cap`: the server gives no more records of this range; the rest is requested as `cursor.cap` says. \
      `shrink`: the page is too large; it is requested again with half its size, and so are the pages after it, down \
      to `pages.size.min`. For pages by `cursor` and `offset` with `size` and `size_query`.
      """, edit: .asksAnew, examples: ["do: fail\nwhen: response.ok == false"],
    mistakes: [
      "when: status == 404\ndo: ↓ignore": .unknownValue, "when: ↓status == 400\ndo: cap": .cursorBounds,
      "when: ↓status == 500\ndo: shrink": .incompletePages,
    ])

  static let message = Field(
    "message", .line, default: "the rule's condition", "The message of the error.",
    details: "For `fail`, `retry` and `wait`.", secrets: .refused, edit: .keepsResult,
    examples: ["when: status == 402\ndo: fail\nmessage: \"out of credit: {{ response.detail }}\""],
    mistakes: [
      "when: status == 404\ndo: skip\n↓message: gone": .misplacedKey,
      "when: status == 402\ndo: fail\nmessage: \"{{ ↓body.detail }}\"": .templateUnknownRoot,
    ])

  static let wait = Field(
    "for", .expression(.optional(.dynamic)), default: "the wait of 'retry'",
    "An expression that gives the wait: a number of seconds, a duration, or the timestamp of its end.",
    details: """
      For `retry` and `wait`; at most `retry.max_wait`. If it is null, zero, in the past or cannot be evaluated, the \
      wait is that of `retry`.
      """, secrets: .refused, edit: .keepsResult,
    examples: [
      "when: status == 429\ndo: wait\nfor: int(headers['x-retry-in'])",
      "when: status == 503\ndo: retry\nfor: response.error.retry_after",
      "when: status == 429\ndo: wait\nfor: \"int(extract(response.message, 'in ([0-9]+) seconds'))\"",
    ],
    mistakes: [
      "when: status == 404\ndo: skip\n↓for: 5": .misplacedKey,
      "when: status == 429\ndo: wait\nfor: ↓body.wait": .templateUnknownRoot,
    ])
}
