extension Construct {
  private static let mappingFrame = """
    reactor: 1
    vars: { region: eu }
    secrets: [SHOP_TOKEN]
    http: { base_url: https://api.example.com }
    flows:
      customers:
        resource: /customers
        KEY:
          ◆
    """

  private static func frame(_ key: String) -> Frame {
    Frame(mappingFrame.replacing("KEY", with: key))
  }

  static let reshape = Construct(
    .reshape, noun: "'reshape'", "A program in a subset of jq, for answers that a path cannot reach.",
    details: """
      The program gets the whole answer, at most 32 MiB, and each of its results is taken as an answer: `records` is \
      looked for in it, an array gives its elements. The subset is described in docs/reference/reshape.md; there is no \
      access to files, environment or clock. A program that fails on the answer fails the flow.
      """,
    shortForm: ShortForm(
      for: "answer", .program, "A program alone gets the whole answer.",
      examples: ["\".groups[].members[]\"", "\".data | to_entries | map({id: .key} + .value)\""]),
    fields: [
      FieldSpec(
        "each", .program, required: true, "A program that gets each record; its results are the records.",
        details: """
          The answer is read as a stream. A record on which the program fails is rejected; one for which it gives no \
          result is left out.
          """, secrets: .refused, row: 16,
        examples: ["each: \".id as $id | .lines[] | {order: $id, sku, count}\""],
        mistakes: [.init("each: \".lines[↓\"", .invalidProgram), .init("each: ↓{ a: b }", .wrongKind)])
    ],
    frame: frame("reshape"))

  static let change = Construct(
    .change, noun: "'change'", "What is changed in each record before it is mapped.",
    details: "Whatever the order of the keys: members are flattened, then renamed, then removed, then added.",
    fields: [
      FieldSpec(
        "flatten", .construct(.flatten), default: "false",
        "Makes members of inner objects members of the record: `address.city` becomes `address_city`.",
        details: """
          Lists stay as they are, with what is in them, and so do empty objects. A record in which two members would get \
          one name is rejected.
          """, row: 7,
        examples: ["flatten: true", "flatten: { separator: \".\", depth: 1 }"],
        mistakes: [.init("flatten: ↓yes", .invalidBoolean), .init("flatten: { ↓seperator: _ }", .unknownKey)]),
      FieldSpec(
        "rename", .map(.path, .name(.field)), default: "none", "New names of members, by the paths to them.",
        details: """
          A member keeps its place, also inside another one: `$.user.mail: email` makes `user.email`. What is not there \
          is not renamed; a name that is taken already rejects the record.
          """, row: 7,
        examples: ["rename: { $.user_name: name, $.user.mail: email }"],
        mistakes: [
          .init("rename: { ↓user_name: name }", .invalidPath), .init("rename: { ↓\"$.tags[*]\": tag }", .invalidPath),
          .init("rename: { $.a: ↓[b] }", .wrongKind),
        ]),
      FieldSpec(
        "remove", .oneOrMore(.jsonPath), default: "none", "Paths to what is left out, wherever they lead.",
        row: 7, examples: ["remove: $.internal", "remove: [$.address.geo, \"$..secret\", \"$.tags[?@.hidden]\"]"],
        mistakes: [
          .init("remove: [↓internal]", .invalidPath), .init("remove: ↓$", .invalidPath),
          .init("remove: ↓{ a: b }", .wrongKind),
        ]),
      FieldSpec(
        "add", .map(.field, .json), default: "none", "Members that every record gets.",
        details: """
          `record` is the record as far as it is changed, `source` the record as it came. A member that is there already \
          is replaced. A value that is nothing but one expression keeps its type.
          """, templated: true, secrets: .refused, row: 7,
        examples: ["add: { region: \"{{ vars.region }}\", full_name: \"{{ record.first }} {{ record.last }}\" }"],
        mistakes: [
          .init("add: ↓region", .wrongKind), .init("add: { x: \"{{ ↓recrd.first }}\" }", .templateUnknownRoot),
          .init("add: { token: \"↓{{ secrets.SHOP_TOKEN }}\" }", .templateSecretNotAllowed),
        ]),
    ],
    frame: frame("change"))

  static let flatten = Construct(
    .flatten, noun: "'flatten'", "How members of inner objects become members of the record.",
    shortForm: ShortForm(
      for: "depth", .boolean, "`true` joins the names of all levels with `_`.", examples: ["true"]),
    fields: [
      FieldSpec(
        "separator", .text, default: "_", "What stands between the names that are joined.", secrets: .refused, row: 7,
        examples: ["separator: \".\""], mistakes: [.init("separator: ↓[_]", .wrongKind)]),
      FieldSpec(
        "depth", .integer(1...256), default: "all", "How many levels of objects are opened.", row: 7,
        examples: ["depth: 1"], mistakes: [.init("depth: ↓0", .outOfRange)]),
    ],
    frame: Frame(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          change:
            flatten:
              ◆
      """))
}
