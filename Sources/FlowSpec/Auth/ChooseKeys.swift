import Expressions

enum ChooseKeys {
  static let construct = Construct(
    .choose, noun: "'choose'", "Several kinds of authorization; a value chooses one of them before the first request.",
    details: """
      All cases are checked, also those that are not chosen, but the secrets of a case need a value only if it is \
      chosen. `reactor explain` names the chosen case.
      """, fields: [by, cases, otherwise],
    frame: AuthKeys.frame(
      "choose:\n  ◆", supplies: ["by: vars.user", "cases: { me: { bearer: \"{{ secrets.SHOP_TOKEN }}\" } }"]))

  static let by = Field(
    "by", .expression(.string), default: .required, "An expression whose value is the name of the chosen case.",
    details: """
      `has(secrets.NAME)` is true if the secret has a value. In a replay every secret has a value: if a replay must \
      choose the same case as the recorded run, choose by a variable.
      """, edit: .asksAnew,
    examples: ["by: vars.user", "by: \"has(secrets.PASSWORD) ? 'me' : 'other'\"\nelse: none"],
    mistakes: ["by: ↓user": .templateUnknownRoot, "by: ↓has(secrets.PASSWORD)": .expressionType])

  static let cases = Field(
    "cases", .whole(.map(.choice, .construct(.auth))), default: .required, "The kinds of authorization by name.",
    edit: .byItsKeys,
    examples: [
      """
      cases:
        me: { bearer: \"{{ secrets.SHOP_TOKEN }}\" }
        other: { basic: { username: other, password: \"{{ secrets.PASSWORD }}\" } }
      """
    ],
    mistakes: [
      "cases: ↓[]": .wrongKind, "↓cases: {}": .missingValue, "cases: { me: ↓token }": .unknownValue,
      "cases: { me: { bearer: \"{{ secrets.↓SHOP_TOKN }}\" } }": .templateUnknownSecret,
    ])

  static let otherwise = Field(
    "else", .construct(.auth) { $0.auth($1) }, default: "an error that lists the cases",
    "The kind of authorization if the value of `by` is not the name of a case.", edit: .byItsKeys,
    examples: ["else: none"],
    mistakes: ["else: ↓no": .unknownValue])
}
