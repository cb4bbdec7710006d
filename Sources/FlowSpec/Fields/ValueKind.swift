/// What a key's value is.
public indirect enum ValueKind: Sendable, Hashable {
  /// Text, kept exactly as written whatever it looks like.
  case text
  /// A name of the writer's own: a letter or `_`, then letters, digits, `_`, and `-` where the role allows it.
  case name(NameRole)
  /// `true` or `false`.
  case boolean
  /// A decimal integer within bounds.
  case integer(ClosedRange<Int>)
  /// A duration within bounds, in seconds.
  case duration(ClosedRange<Double>)
  /// A duration, or an RFC 9535 JSONPath to one in a response.
  case durationOrPath
  /// A duration, or a positive integer.
  case durationOrInteger
  /// A number of bytes, with or without unit.
  case size
  /// A number of something, or a share of it: `5`, `10%`.
  case countOrShare
  /// One of some words.
  case choice([String])
  /// An RFC 9535 JSONPath.
  case jsonPath
  /// An expression, with or without braces around it.
  case expression
  /// An http or https URL; the words are taken instead of one.
  case url(orWords: [String])
  /// A host name, an address, or a range of addresses.
  case hostOrNetwork
  /// A path that is joined to the base URL.
  case requestPath
  /// A file that is written: `.json`, `.jsonl` or `.csv`.
  case outputPath
  /// A status: `200`, `2xx` or `200-299`.
  case status
  /// A status, or one of some words.
  case statusOr([String])
  /// A number of requests in a time: `10/s`, `600/m`.
  case rate
  /// Any YAML, read as JSON.
  case json
  /// A list.
  case list(ValueKind)
  /// One value or a list of them.
  case oneOrMore(ValueKind)
  /// A mapping with names of the writer's own.
  case map(NameRole, ValueKind)
  /// A mapping with a table of its own, or its short form.
  case construct(ConstructName)
  /// The name of a flow: alone for one of the same file, else `file.flow`.
  case flowReference
  /// A program of the jq subset.
  case program
  /// The name of a schema, or one written here.
  case schemaReference
}
