internal import FlowModel

enum DecodeKeys {
  static let construct = Construct(
    .decode, noun: "'decode'", "The format of a response that is not one JSON document.",
    details: """
      The body is read as a stream, whatever its size. Each row, line or element becomes a JSON record, and `reshape: \
      { each: … }`, `change`, `schema`, `where`, `rejected`, `pages` and `expect` handle it like any other. A row or \
      line that cannot be read is a rejected record: its reason has the line's number, and the record is the text as \
      received. A body that ends too early, has another encoding or is an HTML page fails the flow.
      """,
    shortForm: .init(
      .choice(ResponseFormat.Name.allCases.map(\.rawValue)), "A format alone has its usual settings.",
      examples: ["csv", "jsonl"]),
    fields: [format, unpack, members, encoding, delimiter, quote, header, columns, prefixes],
    requirements: [
      .only([delimiter, quote, header, columns], with: format, tables, code: .misplacedDecodeKey),
      .only(
        [encoding], with: format, tables + [ResponseFormat.Name.lines.rawValue], code: .misplacedDecodeKey),
      .only([prefixes], with: format, [ResponseFormat.Name.xml.rawValue], code: .misplacedDecodeKey),
      .needs(
        header, is: "false", columns, code: .incompleteDecode, "a table without a header needs 'columns'",
        help: "add, for example, 'columns: [id, name]'"),
    ],
    frame: .flow("resource: /customers\ndecode:\n  ◆", supplies: ["format: csv"]))

  private static let tables = ResponseFormat.Name.allCases.filter(\.isTable).map(\.rawValue)

  static let stored: [Stored<ResponseFormat>] = [
    .init(unpack) { $0.packings = $1 }, .init(members) { $0.members = $1 }, .init(encoding) { $0.encoding = $1 },
    .init(delimiter) { $0.delimiter = $1 }, .init(quote) { $0.quote = $1.byte }, .init(header) { $0.hasHeader = $1 },
    .init(columns) { $0.columns = $1.map(\.value) }, .init(prefixes) { $0.keepsPrefixes = $1 },
  ]

  static let format = Field(
    "format", .choice(of: ResponseFormat.Name.self), default: .required,
    "The format of the body, or of the files in it.",
    details: """
      `json`: one JSON document. `jsonl`: one JSON value on each line. `json_seq`: a JSON text sequence (RFC 7464). \
      `csv`: a table (RFC 4180), each row a record of texts; a field without quotes that is empty is null. `tsv`: the \
      same with tabs. `lines`: plain text, each line a record `{ "line": "…" }`. `xml`: XML 1.0. The \
      elements at the path `records`, which has names only, are the records; without `records` the document is one \
      record. An attribute is a member `@name`, the text beside attributes or elements is `#text`, elements of one name \
      are a list, and a field of type `list` gets a list also of one element.
      """, edit: .asksAnew, examples: ["format: csv", "format: jsonl"],
    mistakes: ["format: ↓cvs": .unknownValue, "↓separator: \";\"\nformat: csv": .unknownKey])

  static let unpack = Field(
    "unpack", .packings, default: "the body is not packed",
    "How the body is packed, apart from the HTTP header `Content-Encoding`.",
    details: """
      `gzip`, `zstd`: a compressed file. `zip`: an archive, whose members are read one after the other. A list has the \
      packings from the outside: `[zip, gzip]` is an archive whose members are compressed files. An archive is the \
      first one, and each packing is there once. The bytes that come out of every packing count for `http.max_bytes`.
      """, edit: .asksAnew,
    examples: ["format: csv\nunpack: gzip", "format: csv\nunpack: zip", "format: jsonl\nunpack: [zip, gzip]"],
    mistakes: [
      "unpack: ↓gz": .unknownValue, "unpack: [gzip, ↓zip]": .invalidPacking,
      "unpack: [zip, gzip, ↓gzip]": .duplicateItem,
      "unpack: ↓[]": .missingValue,
    ])

  static let members = Field(
    "members", .text, default: "all files", "Which members of a zip archive are read: a pattern with `*` and `?`.",
    details: """
      `*` does not match `/`. A pattern without `/` is compared with the name behind the last `/`, so `x.csv` is in any \
      folder; `/x.csv` is in none. An archive without such a member is an error.
      """, edit: .asksAnew,
    examples: ["format: csv\nunpack: zip\nmembers: \"*.csv\""],
    mistakes: ["unpack: gzip\n↓members: \"*.csv\"": .misplacedDecodeKey])

  static let encoding = Field(
    "encoding", .choice(of: ResponseFormat.Encoding.self), default: "utf-8", "The encoding of the text.",
    details: "A byte order mark is allowed. JSON is always UTF-8, and XML declares its encoding itself.",
    edit: .asksAnew, examples: ["encoding: latin1"],
    mistakes: ["encoding: ↓latin-1": .unknownValue, "format: jsonl\n↓encoding: latin1": .misplacedDecodeKey])

  static let delimiter = Field(
    "delimiter", .delimiter, default: "`,` for `csv`, a tab for `tsv`", "The character between two fields.",
    edit: .asksAnew, examples: ["delimiter: \";\""],
    mistakes: ["delimiter: ↓\";;\"": .invalidDelimiter, "format: jsonl\n↓delimiter: \";\"": .misplacedDecodeKey])

  static let quote = Field(
    "quote", .quote, default: "`\"`", "The character around fields, or `none` if no field is quoted.",
    details: """
      Inside quotes, the character itself is written twice, and line breaks and delimiters are text. A quote inside a \
      field that is not quoted rejects the row.
      """, edit: .asksAnew, examples: ["quote: \"'\"", "quote: none"],
    mistakes: ["quote: ↓single": .invalidDelimiter, "delimiter: \";\"\nquote: ↓\";\"": .invalidDelimiter])

  static let header = Field(
    "header", .boolean, default: "true", "Whether the first row has the names of the columns.",
    details: "Two columns of the same name, and a column without a name, are an error.", edit: .asksAnew,
    examples: ["header: false\ncolumns: [id, name]"],
    mistakes: ["header: ↓no": .invalidBoolean, "↓header: false": .incompleteDecode])

  static let columns = Field(
    "columns", .names(.field), default: "those of the header",
    "The names of the columns, which replace those of a header.",
    details: "There are as many names as columns. A row with more or fewer fields is rejected.", edit: .asksAnew,
    examples: ["columns: [id, name]"],
    mistakes: ["columns: [id, ↓id]": .duplicateItem, "format: lines\n↓columns: [id]": .misplacedDecodeKey])

  static let prefixes = Field(
    "prefixes", .boolean, default: "false", "Whether names in XML keep their namespace prefix: `dc:title`.",
    details: "Without it, `dc:title` and `title` have the same name.", edit: .asksAnew,
    examples: ["format: xml\nprefixes: true"],
    mistakes: ["↓prefixes: true": .misplacedDecodeKey])
}
