internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

enum DecodeKeys {
  static let construct = Construct(
    .decode, noun: "'decode'", "The format of a response that is not one JSON document.",
    details: """
      The body is read as a stream, whatever its size. Each row, line or element becomes a JSON record, and `reshape: \
      { each: … }`, `change`, `schema`, `where`, `rejected`, `pages` and `expect` handle it like any other. A row or \
      line that cannot be read is a rejected record: its reason contains the line's number, and the record is the text \
      as received. A body that ends too early, has another encoding or is an HTML page fails the flow.
      """,
    shortForm: .init(
      .choice(ResponseFormat.Name.allCases.map(\.rawValue)), "The name of a format alone means its default settings.",
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
      `csv`: a table (RFC 4180), each row a record of texts; an empty field without quotes is null. `tsv`: the \
      same with tabs. `lines`: plain text, each line a record `{ "line": "…" }`. `xml`: XML 1.0. The \
      elements at the path `records`, which has names only, are the records; without `records` the document is one \
      record. An attribute is a member `@name`, the text beside attributes or elements is `#text`, elements with the \
      same name are a list, and a field of type `list` gets a list even for one element.
      """, edit: .asksAnew, examples: ["format: csv", "format: jsonl"],
    mistakes: ["format: ↓cvs": .unknownValue, "↓separator: \";\"\nformat: csv": .unknownKey])

  static let unpack = Field(
    "unpack", .packings, default: "the body is not packed",
    "How the body is compressed or archived, apart from the HTTP header `Content-Encoding`.",
    details: """
      `gzip`, `zstd`: a compressed file. `zip`: an archive, whose members are read one after the other. A list names \
      the packings, the outermost first: `[zip, gzip]` is an archive whose members are compressed files. An archive \
      must be the first one, and each packing can be listed once. `http.max_bytes` also limits the unpacked bytes, \
      after each packing.
      """, edit: .asksAnew,
    examples: ["format: csv\nunpack: gzip", "format: csv\nunpack: zip", "format: jsonl\nunpack: [zip, gzip]"],
    mistakes: [
      "unpack: ↓gz": .unknownValue, "unpack: [gzip, ↓zip]": .invalidPacking,
      "unpack: [zip, gzip, ↓gzip]": .duplicateItem,
      "unpack: ↓[]": .missingValue,
    ])

  static let members = Field(
    "path", .text, default: "all files", "Which members of a zip archive are read: a pattern with `*` and `?`.",
    details: """
      `*` does not match `/`. A pattern without `/` is compared with the name after the last `/`: `x.csv` matches in \
      any folder. `/x.csv` matches only outside of all folders. An archive without a matching member is an error.
      """, edit: .asksAnew,
    examples: ["format: csv\nunpack: zip\npath: \"*.csv\""],
    mistakes: ["unpack: gzip\n↓path: \"*.csv\"": .misplacedDecodeKey])

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
    "header", .boolean, default: "true", "Whether the first row contains the names of the columns.",
    details: "Two columns of the same name, and a column without a name, are an error.", edit: .asksAnew,
    examples: ["header: false\ncolumns: [id, name]"],
    mistakes: ["header: ↓no": .invalidBoolean, "↓header: false": .incompleteDecode])

  static let columns = Field(
    "columns", .names(.field), default: "those of the header",
    "The names of the columns, which replace those of a header.",
    details: "The list must have a name for each column. A row with more or fewer fields is rejected.", edit: .asksAnew,
    examples: ["columns: [id, name]"],
    mistakes: ["columns: [id, ↓id]": .duplicateItem, "format: lines\n↓columns: [id]": .misplacedDecodeKey])

  static let prefixes = Field(
    "prefixes", .boolean, default: "false", "Whether names in XML keep their namespace prefix: `dc:title`.",
    details: "Without it, `dc:title` and `title` have the same name.", edit: .asksAnew,
    examples: ["format: xml\nprefixes: true"],
    mistakes: ["↓prefixes: true": .misplacedDecodeKey])
}

extension FlowReader {
  /// Reads the format of a response.
  mutating func decode(_ value: FieldValue) -> ResponseFormat? {
    if value.word != nil { return read(DecodeKeys.format, short: value).map { ResponseFormat($0) } }
    let errors = diagnostics.diagnostics.count
    guard let nodes = open(value, as: .decode), let name = read(DecodeKeys.format, of: nodes) else { return nil }
    var format = ResponseFormat(name)
    fill(&format, with: DecodeKeys.stored, from: nodes)
    if let key = nodes.key(DecodeKeys.members), !format.packings.contains(.zip), !nodes.hasError {
      report(.misplacedDecodeKey, "'path' needs 'unpack: zip'", at: key, help: "leave it out")
    }
    if let node = nodes.value(DecodeKeys.quote)?.node ?? nodes.value(DecodeKeys.delimiter)?.node,
      format.quote == format.delimiter
    {
      report(
        .invalidDelimiter, "the delimiter and the quote are the same character", at: node.range,
        help: "write 'quote: none' if no field is quoted")
    }
    if let key = nodes.key(DecodeKeys.columns), format.columns?.isEmpty ?? false {
      report(.missingValue, "'columns' is empty", at: key, help: "leave it out")
    }
    return diagnostics.diagnostics.count == errors ? format : nil
  }

  /// Reads one packing, or several, the outermost first.
  mutating func packings(_ value: FieldValue) -> [ResponseFormat.Packing]? {
    guard let values = oneOrMore(of: value) else { return nil }
    if values.isEmpty { report(.missingValue, "'unpack' is empty", at: value.node.range, help: "leave it out") }
    let words = ResponseFormat.Packing.allCases.map(\.rawValue)
    var seen: [String: SourceRange] = [:]
    return values.enumerated().compactMap { index, value in
      guard let word = choice(value, words), !isRepeated(word, word, at: value.node.range, in: &seen),
        let packing = ResponseFormat.Packing(rawValue: word)
      else { return nil }
      if packing == .zip, index > 0 {
        report(
          .invalidPacking, "a zip archive inside another packing cannot be read", at: value.node.range,
          help: "write the packings from the outside, for example [zip, gzip] for compressed files in an archive")
      }
      return packing
    }
  }

  /// Reports keys that read parts of the response outside of its records if the format has no such parts.
  mutating func checkDecode(_ format: ResponseFormat?, _ flow: FieldNodes, _ records: JSONPath?) {
    guard let format else { return }
    let name = format.name.rawValue
    guard format.name != .json else { return }
    if format.name.hasRows, let key = flow.key(FlowKeys.records) {
      report(
        .misplacedDecodeKey, "'records' has no effect with 'decode: \(name)': each \(format.rowNoun) is a record",
        at: key,
        help: "leave it out, or take parts of each record with 'reshape: { each: .data }'")
    }
    if let value = flow.value(FlowKeys.reshape), value.word != nil {
      report(
        .misplacedDecodeKey, "a program for the whole response cannot be used with 'decode: \(name)'", at: value.key,
        help: "write 'reshape: { each: … }', which reads one record after the other")
    }
    if format.name == .xml { return checkXML(flow, records) }
    let parts: [(any FieldSpec, [any FieldSpec])] = [
      (FlowKeys.pages, [PagesKeys.from, PagesKeys.count, PagesKeys.more]), (FlowKeys.expect, [ExpectKeys.total]),
    ]
    for (owner, fields) in parts {
      guard case .mapping(let mapping)? = flow.value(owner)?.node.content else { continue }
      for entry in mapping.entries where fields.contains(where: { $0.name == entry.name }) {
        // A header, or the relation of a link, is beside the records.
        if case .scalar(let scalar) = entry.value.content, !scalar.text.hasPrefix("$") { continue }
        report(
          .misplacedDecodeKey,
          "'\(owner.name).\(entry.name)' finds nothing with 'decode: \(name)': the response has only records",
          at: entry.key.range, help: "leave it out, or name a header of the response that contains the value")
      }
    }
  }

  private mutating func checkXML(_ flow: FieldNodes, _ records: JSONPath?) {
    guard let value = flow.value(FlowKeys.records), let records, !records.isMemberPath else { return }
    report(
      .invalidPath, "'\(printable(records.text))' is not a path of XML elements", at: value.node.range,
      help: "write names only, for example $.feed.entry")
  }
}

extension JSONPath {
  /// Whether the path has only names, and possibly `[*]` at its end.
  fileprivate var isMemberPath: Bool {
    let steps = singularSteps ?? elementSteps ?? []
    return !steps.isEmpty && steps.allSatisfy { if case .name = $0 { true } else { false } }
  }
}

extension ResponseFormat {
  /// The word for the part of the format that is one record.
  fileprivate var rowNoun: String {
    switch name {
    case .csv, .tsv: "row"
    case .jsonSequence: "text"
    default: "line"
    }
  }
}

/// The character around the quoted fields of a table, or the word `none`.
struct QuoteCharacter: Sendable {
  /// The ASCII character; nil for `none`.
  let byte: UInt8?
}

extension Shape {
  static var packings: Shape<[ResponseFormat.Packing]> {
    .init(.oneOrMore(.choice(ResponseFormat.Packing.allCases.map(\.rawValue)))) { $0.packings($1) }
  }
  static var delimiter: Shape<UInt8> {
    .init(.text) { reader, value in
      reader.text(value).flatMap { text in reader.character(text, value, example: "\";\" or \"\\t\"") }
    }
  }
  static var quote: Shape<QuoteCharacter> {
    .init(.text) { reader, value in
      reader.text(value).flatMap { text in
        if text == "none" { return QuoteCharacter(byte: nil) }
        return reader.character(text, value, example: "\"'\", or 'none'").map { QuoteCharacter(byte: $0) }
      }
    }
  }
}

extension FlowReader {
  /// Reads a single ASCII character that can separate or enclose fields.
  fileprivate mutating func character(_ text: String, _ value: FieldValue, example: String) -> UInt8? {
    if let byte = text.utf8.first, text.utf8.count == 1, byte == 0x09 || (0x20..<0x7F).contains(byte) { return byte }
    return fail(
      .invalidDelimiter, "'\(printable(text))' is not a single ASCII character", at: value.node.range,
      help: "write one character, for example \(example)")
  }
}
