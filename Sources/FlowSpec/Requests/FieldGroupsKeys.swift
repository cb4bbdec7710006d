internal import FlowModel

enum FieldGroupsKeys {
  static let construct = Construct(
    .fieldGroups, noun: "'field_groups'", "How a request that lists fields is sent once for each group of them.",
    details: """
      For servers that give only some fields of a record in one response, or take only a short list of them. Templates \
      of the request use `field_group`: the names of one request, a list, as in `{{ join(field_group, ',') }}`. For \
      each page one request is sent for each group, in order, and the records of the responses are joined by their \
      key, in the order of the first response. That response also decides what is beside the records, such as the next \
      page or a total. If several responses have the same member, objects are joined, and otherwise the last value \
      counts. Retries, rates and error rules apply to each request. The responses of a page are held in memory, \
      together at most 32 MiB; a page has at most 1000 groups. With a single group nothing is joined.
      """,
    fields: [names, always, max, maxLength, key, missing],
    frame: .init(
      """
      reactor: 1
      vars: { metrics: { type: list, default: [clicks, likes] } }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      schemas:
        customer: { key: id, fields: { id: integer, name: string, city: { value: "{{ upper(source.city) }}" } } }
      flows:
        customers:
          resource: { path: /customers, query: { fields: "{{ join(field_group, ',') }}" } }
          schema: customer
          field_groups:
            ◆
      """, supplies: ["max: 20"], alternatives: ["max": "max_length"]))

  static let stored: [Stored<FieldGroups>] = [
    .init(names) { $0.names = $1.map(\.value) }, .init(always) { $0.always = $1.map(\.value) },
    .init(max) { $0.maxNames = $1.value }, .init(maxLength) { $0.maxLength = $1.value },
    .init(missing) { $0.keepsMissing = $1 == "keep" },
  ]

  static let names = Field(
    "names", .oneOrMore(of: .filledLine), default: "the fields of the schema that are read from records",
    "The names that the requests list: a list, or an expression that gives one.",
    details: """
      A name that comes twice is sent once. The records of a parent can give the names: with `each: { flow: fields, \
      batch: 10000 }` write `{{ batch.map(f, f.name) }}`.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["names: [clicks, likes, shares]", "names: \"{{ vars.metrics }}\""],
    mistakes: [
      "names: \"{{ vars.↓metric }}\"": .templateUnknownVariable,
      "names: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed, "names: [clicks, ↓\"\"]": .missingValue,
    ])

  static let always = Field(
    "always", .oneOrMore(of: .filledLine), default: "the fields of the schema's key, if `names` is left out; else none",
    "The names that are in each group.", details: "They come first, and count for `max` and `max_length`.",
    secrets: .refused, edit: .asksAnew, examples: ["names: [date, clicks, likes]\nalways: date\nby: $.date"],
    mistakes: ["always: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed])

  static let max = Field(
    "max", .integer(1...100_000), default: "no limit; this or `max_length` is required",
    "The maximum number of names in one request.", edit: .keepsResult, examples: ["max: 20"],
    mistakes: ["max: ↓0": .outOfRange, "max: ↓many": .invalidInteger])

  static let maxLength = Field(
    "max_length", .integer(1...10_000_000), default: "no limit; this or `max` is required",
    "The maximum length of the names of one request, in characters (Unicode scalars).",
    details: """
      Counted as joined with one character between each two, before they are encoded in a URL. A name that is longer \
      alone is an error.
      """, edit: .keepsResult, examples: ["max_length: 15000"], mistakes: ["max_length: ↓15k": .invalidInteger])

  static let key = Field(
    "by", .oneOrMore(of: .jsonPath), default: "where the fields of the schema's key are read from",
    "The members by which the records of the responses belong together: paths in the record as received.",
    details: """
      Every record must have them, with a value that no other record of the same response has. A value can also be a \
      list or an object.
      """, edit: .asksAnew, examples: ["by: $.id", "by: [$.dateRange, $.pivotValues]"],
    mistakes: ["by: ↓id": .invalidPath, "by: ↓\"$.items[*]\"": .invalidPath])

  static let missing = Field(
    "missing", .choice(["fail", "keep"]), default: "fail", "What happens to a record that a response does not have.",
    details: """
      `fail`: the flow fails, because the data changed between two requests of a page. `keep`: the record is kept with \
      the fields that it has; for servers that leave out records in which all fields of the group are empty. A record \
      that the first response does not have comes after the others.
      """, edit: .asksAnew, examples: ["missing: keep"], mistakes: ["missing: ↓drop": .unknownValue])
}
