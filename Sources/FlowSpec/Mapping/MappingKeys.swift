/// The keys of `reshape`.
enum ReshapeKeys {
  static let construct = Construct(
    .reshape, noun: "'reshape'", "A program in a subset of jq, for responses in which no path finds the records.",
    details: """
      The program gets the whole response, at most 32 MiB, and each of its results is treated as a response: `records` \
      is read from it, and an array gives its elements. The subset is described in docs/reference/reshape.md; it has \
      no access to files, the environment or the clock. A program that fails on the response fails the flow.
      """,
    shortForm: .init(
      .program, "A program alone gets the whole response.",
      examples: ["\".groups[].members[]\"", "\".data | to_entries | map({id: .key} + .value)\""]), fields: [each],
    frame: .flow("resource: /customers\nreshape:\n  ◆"))

  static let each = Field(
    "each", .program, default: .required, "A program that gets each record; its results are the records.",
    details: """
      The response is read as a stream. A record on which the program fails is rejected; one for which it gives no \
      result is left out.
      """, secrets: .refused, edit: .asksAnew, examples: ["each: \".id as $id | .lines[] | {order: $id, sku, count}\""],
    mistakes: ["each: \".lines[↓\"": .invalidProgram, "each: ↓{ a: b }": .wrongKind])
}

/// The keys of `change`.
enum ChangeKeys {
  static let construct = Construct(
    .change, noun: "'change'", "What is changed in each record before it is mapped.",
    details: "Whatever the order of the keys: members are flattened, then renamed, then removed, then added.",
    fields: [flatten, rename, remove, add], frame: .flow("resource: /customers\nchange:\n  ◆"))

  static let flatten = Field(
    "flatten", .construct(.flatten) { $0.flatten($1) }, default: "false",
    "Makes members of inner objects members of the record: `address.city` becomes `address_city`.",
    details: """
      Lists stay as they are, with what is in them, and so do empty objects. A record in which two members would get \
      one name is rejected.
      """, edit: .byItsKeys, examples: ["flatten: true", "flatten: { separator: \".\", depth: 1 }"],
    mistakes: ["flatten: ↓yes": .invalidBoolean, "flatten: { ↓seperator: _ }": .unknownKey])

  static let rename = Field(
    "rename", .renames, default: "none", "New names of members, by the paths to them.",
    details: """
      A member stays where it is, also inside another one: `$.user.mail: email` makes `user.email`. A missing member \
      is not renamed. A name that exists already rejects the record.
      """, edit: .asksAnew, examples: ["rename: { $.user_name: name, $.user.mail: email }"],
    mistakes: [
      "rename: { ↓user_name: name }": .invalidPath, "rename: { ↓\"$.tags[*]\": tag }": .invalidPath,
      "rename: { $.a: ↓[b] }": .wrongKind,
    ])

  static let remove = Field(
    "remove", .oneOrMore(of: .removedPath), default: "none", "Paths to members that are removed.",
    edit: .asksAnew, examples: ["remove: $.internal", "remove: [$.address.geo, \"$..secret\", \"$.tags[?@.hidden]\"]"],
    mistakes: ["remove: [↓internal]": .invalidPath, "remove: ↓$": .invalidPath, "remove: ↓{ a: b }": .wrongKind])

  static let add = Field(
    "add", .namedJSON, default: "none", "Members that every record gets.",
    details: """
      `record` is the record with the changes so far, `source` the record as received. An existing member is replaced. \
      A value that is exactly one expression keeps its type.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["add: { region: \"{{ vars.region }}\", full_name: \"{{ record.first }} {{ record.last }}\" }"],
    mistakes: [
      "add: ↓region": .wrongKind, "add: { x: \"{{ ↓recrd.first }}\" }": .templateUnknownRoot,
      "add: { token: \"↓{{ secrets.SHOP_TOKEN }}\" }": .templateSecretNotAllowed,
    ])
}

/// The keys of `change.flatten`.
enum FlattenKeys {
  static let construct = Construct(
    .flatten, noun: "'flatten'", "How members of inner objects become members of the record.",
    shortForm: .init(
      .boolean, "`true` flattens all levels and joins their names with `_`, as in `address_city`.", examples: ["true"]),
    fields: [separator, depth],
    frame: .flow("resource: /customers\nchange:\n  flatten:\n    ◆"))

  static let separator = Field(
    "separator", .text, default: "_", "The text between the joined names.", secrets: .refused,
    edit: .asksAnew, examples: ["separator: \".\""], mistakes: ["separator: ↓[_]": .wrongKind])

  static let depth = Field(
    "depth", .integer(1...256), default: "all", "How many levels of objects are opened.", edit: .asksAnew,
    examples: ["depth: 1"], mistakes: ["depth: ↓0": .outOfRange])
}
