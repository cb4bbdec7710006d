extension ValueKind {
  /// The kind in words, for people.
  var words: String {
    switch self {
    case .text: "text"
    case .name(let role): "\(role.rawValue) name"
    case .boolean: "true or false"
    case .integer(let bounds): bounds.lowerBound == bounds.upperBound ? "\(bounds.lowerBound)" : "integer"
    case .duration: "duration (30s, 5m, 1h, 7d, PT30S)"
    case .durationOrPath: "duration, or JSONPath"
    case .durationOrInteger: "duration, or a positive integer"
    case .size: "size (500kB, 32MiB, 2GiB)"
    case .countOrShare: "number, or share (10%)"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .jsonPath: "JSONPath"
    case .expression: "expression"
    case .url(let words): (["URL"] + words).joined(separator: " or ")
    case .hostOrNetwork: "host or address range"
    case .requestPath: "request path"
    case .outputPath: "file path (.json, .jsonl, .csv)"
    case .status: "status (200, 2xx, 200-299)"
    case .statusOr(let words): "status (503, 5xx, 502-504), or one of \(words.joined(separator: ", "))"
    case .rate: "rate (10/s, 600/m, 1/5s)"
    case .json: "any value"
    case .list(let element): "list of \(element.plural)"
    case .oneOrMore(let element): "\(element.words), or a list of them"
    case .map(let role, let value): "mapping of \(role.rawValue) names to \(value.plural)"
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
    case .construct(let name): "\(name.title)s"
    case .oneOrMore(let element): "\(element.plural) or lists of them"
    default: words
    }
  }
}

extension ConstructName {
  /// What the construct is called in running text and headings.
  var title: String {
    switch self {
    case .file: "flow file"
    case .variable: "variable"
    case .schemaFile: "schema file"
    case .element: "list element"
    default: rawValue
    }
  }
}
