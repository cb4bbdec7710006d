/// The kind of a key's value, for validation and documentation.
package indirect enum ValueKind: Sendable, Hashable {
  /// Text, exactly as written.
  case text
  /// A name that the author of the file chooses.
  case name(NameRole)
  /// `true` or `false`.
  case boolean
  /// A decimal integer within bounds.
  case integer(ClosedRange<Int>)
  /// A duration within bounds, in seconds.
  case duration(ClosedRange<Double>)
  /// A duration within bounds, in seconds, or one of the listed words.
  case durationOr([String], ClosedRange<Double>)
  /// A duration, or the JSONPath (RFC 9535) of a duration in a response.
  case durationOrPath
  /// A duration, which may be in years and months, a positive integer, or one of the listed words.
  case distance(orWords: [String])
  /// A duration of days, hours and so on, or of months and years.
  case age
  /// A value that may contain templates of variables.
  case setting(ValueKind)
  /// A number of bytes, with or without a unit.
  case size
  /// A count or a percentage: `5`, `10%`.
  case countOrShare
  /// One of the listed words.
  case choice([String])
  /// The type of a field: `string`, `string?`, `[string]`.
  case type
  /// An RFC 9535 JSONPath.
  case jsonPath
  /// A location in a response: a JSONPath in the body, or `headers.NAME`.
  case responseLocation
  /// An expression, with or without braces around it.
  case expression
  /// An http or https URL, or one of the listed words.
  case url(orWords: [String])
  /// A host name, an address, or a range of addresses.
  case hostOrNetwork
  /// A path that is appended to the base URL.
  case requestPath
  /// The path of a file to write: `.json`, `.jsonl` or `.csv`, followed by `.gz` or `.zst` if it is compressed.
  case outputPath
  /// A status or a range of statuses: `200`, `2xx` or `200-299`.
  case status
  /// A status, a range of statuses, or one of the listed words.
  case statusOr([String])
  /// A number of requests per time: `10/s`, `600/m`.
  case rate
  /// Any YAML value, read as JSON.
  case json
  /// A list.
  case list(ValueKind)
  /// A single value, or a list of such values.
  case oneOrMore(ValueKind)
  /// A mapping whose names the author of the file chooses.
  case map(NameRole, ValueKind)
  /// One of the listed words, or a mapping whose names the author of the file chooses.
  case choiceOrMap([String], NameRole, ValueKind)
  /// A list of names, or a mapping of such names; a name without a value is as in the list.
  case namesOrMap(NameRole, ValueKind)
  /// A mapping with its own table of keys, or its short form.
  case construct(ConstructName)
  /// A reference to a flow: its name for a flow of the same file, else `file.flow`.
  case flowReference
  /// A program in the supported subset of jq.
  case program
  /// The name of a schema, or an inline schema.
  case schemaReference
}

extension ValueKind {
  /// Whether an entry of the mapping is left out if its value is `{{ optional(…) }}` and has no value.
  var mayBeLeftOut: Bool {
    switch self {
    case .map(.parameter, _), .map(.header, .text): true
    default: false
    }
  }

  /// The construct whose keys the value has as a mapping; nil for other values.
  var construct: Construct? {
    switch self {
    case .construct(let name): name.construct
    case .schemaReference: ConstructName.schema.construct
    case .list(let element), .oneOrMore(let element): element.construct
    default: nil
    }
  }

  /// A description of the kind in words.
  var words: String {
    switch self {
    case .text: "text"
    case .name(let role): "\(role.rawValue) name"
    case .boolean: "true or false"
    case .integer(let bounds): bounds.lowerBound == bounds.upperBound ? "\(bounds.lowerBound)" : "integer"
    case .duration: "duration (30s, 5m, 1h, 7d, PT30S)"
    case .durationOr(let words, let bounds):
      ([ValueKind.duration(bounds).words] + words.map { "`\($0)`" }).joined(separator: ", or ")
    case .durationOrPath: "duration, or JSONPath"
    case .distance(let words): (["duration (7d, P7D, P1M)", "positive integer"] + words).joined(separator: ", or ")
    case .age: "duration (7d, P7D, P1M)"
    case .setting(let kind): kind.words
    case .size: "size (500kB, 32MiB, 2GiB)"
    case .countOrShare: "number, or share (10%)"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .type: "one of \(TypeKeys.names.joined(separator: ", ")), also as `string?` or `[string]`"
    case .jsonPath: "JSONPath"
    case .responseLocation: "JSONPath, or headers.NAME"
    case .expression: "expression"
    case .url(let words): (["URL"] + words).joined(separator: " or ")
    case .hostOrNetwork: "host or address range"
    case .requestPath: "request path"
    case .outputPath: "file path (.json, .jsonl, .csv; .gz, .zst)"
    case .status: "status (200, 2xx, 200-299)"
    case .statusOr(let words): "status (503, 5xx, 502-504), or one of \(words.joined(separator: ", "))"
    case .rate: "rate (10/s, 600/m, 1/5s)"
    case .json: "any value"
    case .list(let element): "list of \(element.plural)"
    case .oneOrMore(let element): "\(element.words), or a list of them"
    case .map(let role, let value): "mapping of \(role.rawValue) names to \(value.plural)"
    case .choiceOrMap(let words, let role, let value):
      "\(words.map { "`\($0)`" }.joined(separator: ", ")), or a \(ValueKind.map(role, value).words)"
    case .namesOrMap(let role, let value):
      "\(ValueKind.list(.name(role)).words), or a \(ValueKind.map(role, value).words)"
    case .construct(let name): name.construct.shortForm == nil ? name.title : "\(name.title), or its short form"
    case .flowReference: "flow name (customers, or shop.customers of another file)"
    case .program: "jq program"
    case .schemaReference: "schema name, or a schema"
    }
  }

  private var plural: String {
    switch self {
    case .text: "texts"
    case .name(let role): "\(role.rawValue) names"
    case .hostOrNetwork: "hosts and address ranges"
    case .expression: "expressions"
    case .choice(let words): "any of \(words.joined(separator: ", "))"
    case .statusOr(let words): "statuses (503, 5xx, 502-504), or any of \(words.joined(separator: ", "))"
    case .construct(.auth): "authorizations"
    case .construct(let name): "\(name.title)s"
    case .oneOrMore(let element): "\(element.plural) or lists of them"
    default: words
    }
  }
}

extension ConstructName {
  /// The name of the construct in texts and headings.
  var title: String {
    switch self {
    case .file: "flow file"
    case .variable: "variable"
    case .loginStep: "login step"
    case .eachPart, .eachUnion: "record source"
    case .rateBudget: "rate budget"
    case .errorRule: "error rule"
    case .schemaFile: "schema file"
    case .notify: "receiver"
    case .element: "list element"
    default: rawValue
    }
  }
}
