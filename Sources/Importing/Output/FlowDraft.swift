/// A flow that is being translated.
final class FlowDraft {
  /// The body of the request.
  enum Body {
    case none
    case json(OutputMapping)
    case list([OutputNode])
    case form(OutputMapping)
    case text(OutputNode)
    case graphql(OutputNode)
  }

  let name: String
  var tags: [String] = []
  /// The URL of the server, as a template.
  var base = FlowTemplate(literal: "")
  var method = "GET"
  var path = FlowTemplate(literal: "/")
  /// The whole URL, which replaces server and path; nil if the path is used.
  var url: FlowTemplate?
  /// The values for the parameters in braces in the path.
  var params = OutputMapping()
  var query = OutputMapping()
  /// The parameters of the query that are sent as written.
  var unescaped: Set<String> = []
  var headers = OutputMapping()
  var body = Body.none
  /// The authorization; nil for none.
  var auth: OutputNode?
  var authOrigin: OutputMapping.Origin?
  var rate: OutputNode?
  var timeout: OutputNode?
  var redirects: OutputNode?
  var schema: SchemaDraft?
  /// How another flow describes the fields of the schema; nil if the fields are known.
  var description: FieldDescription?
  /// All other keys, in order, with the comments on what was not carried over.
  var keys = OutputMapping()
  /// Comments that are written above the flow's keys.
  var head: [String] = []
  /// The values of the fields that transformations added, by their names.
  var added: [String: FlowExpression] = [:]
  var outputMode: String?
  /// The path of the file with the records; nil for a file with the flow's name in the folder `out`.
  var file: OutputNode?
  /// Whether flows are generated from this flow, one for each of several items.
  var isGenerated = false
  /// A field that is added to a parent's records only if this flow uses it.
  struct Wish {
    let text: String
    let source: FlowDraft
    let field: String
    let value: FlowExpression
  }

  var wishes: [Wish] = []
  /// The values of partitions, and the parts of the request into which they are put.
  var options: [(FlowExpression, RequestTarget, Component)] = []
  /// The kind of value that the cursor's bounds have in conditions.
  var cursorKind = FlowExpression.Kind.timestamp
  /// Whether requests are sent only for new and changed records of the parent.
  var followsChanges = false
  /// Whether the flow requests the rest of a range if the server returns only a part of it.
  var hasCap = false
  /// Whether a page that is too large is requested again with a smaller size.
  var shrinks = false
  /// The names in `each` that are already used.
  var eachNames: Set<String> = []
  var partitions: [String: FlowExpression] = [:]
  /// The property names in the request, as one value; nil if the request names none.
  var listedProperties: OutputNode?
  var intervals: [String: FlowExpression] = [:]
  let origin: OutputMapping.Origin

  init(_ name: String, at origin: OutputMapping.Origin) {
    self.name = name
    self.origin = origin
  }

  /// Requests the server's URL as it is, without a slash after it. A URL with a secret is still used as the base of a
  /// path.
  func useBaseAsURL() {
    if !base.isConstant, !base.text.contains("secrets.") { url = base }
  }

  /// Puts a value into a part of the request.
  func inject(_ value: OutputNode, into target: RequestTarget, from origin: OutputMapping.Origin?) throws(JinjaError) {
    switch target {
    case .query(let name): query.set(name, value, from: origin)
    case .header(let name):
      for entry in headers.entries where entry.name.lowercased() == name.lowercased() { headers[entry.name] = nil }
      headers.set(name, value, from: origin)
    case .form(let name):
      var form = OutputMapping()
      switch body {
      case .none: break
      case .form(let known): form = known
      default: throw JinjaError("the body is not a form")
      }
      form.set(name, value, from: origin)
      body = .form(form)
    case .json(let path):
      if case .graphql(let known) = body, path.first == "variables", path.count > 1 {
        var request = known.mapping ?? OutputMapping([("query", known)])
        try Self.set(value, at: path[...], in: &request)
        request.order(["query", "variables", "name"])
        body = .graphql(.mapping(request))
        return
      }
      var json = OutputMapping()
      switch body {
      case .none: break
      case .json(let known): json = known
      default: throw JinjaError("the body is not a JSON object")
      }
      try Self.set(value, at: path[...], in: &json)
      body = .json(json)
    }
  }

  private static func set(
    _ value: OutputNode, at path: ArraySlice<String>, in mapping: inout OutputMapping
  ) throws(JinjaError) {
    guard let first = path.first else { throw JinjaError("the path is empty") }
    guard path.count > 1 else {
      mapping[first] = value
      return
    }
    var inner = OutputMapping()
    if let known = mapping[first] {
      guard let known = known.mapping else { throw JinjaError("'\(first)' of the body is not an object") }
      inner = known
    }
    try set(value, at: path.dropFirst(), in: &inner)
    mapping[first] = .mapping(inner)
  }

  /// Whether a part of the request uses a name, such as `cursor.start`.
  func uses(_ text: String) -> Bool { resource.mentions(text) }

  /// Whether any part of the flow contains a text, such as the name of a variable.
  func mentions(_ text: String) -> Bool {
    let nodes: [OutputNode?] = [
      resource, .mapping(keys), base.node, schema?.node, auth, rate, timeout, file,
    ]
    return nodes.contains { $0?.mentions(text) ?? false }
  }

  /// The request.
  var resource: OutputNode {
    var result = OutputMapping()
    var hasBody = true
    switch body {
    case .none: hasBody = false
    case .json(let mapping): result["body"] = .map([("json", .mapping(mapping))])
    case .list(let elements): result["body"] = .map([("json", .list(elements))])
    case .form(let mapping): result["body"] = .map([("form", .mapping(mapping))])
    case .text(let text): result["body"] = .map([("text", text)])
    case .graphql(let query): result["body"] = .map([("graphql", query)])
    }
    // A flow with a body and GET must declare GET, to show that it is intended.
    if method != "GET" || hasBody { result["method"] = .scalar(method) }
    result.set(url == nil ? "path" : "url", (url ?? path).node, from: nil)
    if !params.isEmpty { result["params"] = .mapping(params) }
    if !query.isEmpty { result["query"] = .mapping(query) }
    let unescaped = query.entries.map(\.name).filter { self.unescaped.contains($0) }
    if !unescaped.isEmpty { result["unescaped"] = .list(unescaped.map { .text($0) }) }
    if !headers.isEmpty { result["headers"] = .mapping(headers) }
    result.order(["method", "path", "url", "params", "query", "unescaped", "headers", "body"])
    return result.items.count == 1 && url == nil ? path.node : .mapping(result)
  }
}

extension OutputNode {
  /// Whether a scalar of the value contains a text.
  func mentions(_ text: String) -> Bool {
    switch self {
    case .scalar(let scalar): scalar.contains(text)
    case .list(let elements): elements.contains { $0.mentions(text) }
    case .mapping(let mapping): mapping.entries.contains { $0.value.mentions(text) }
    }
  }
}

/// A part of a request into which a value can be put.
enum RequestTarget: Hashable {
  case query(String)
  case header(String)
  case form(String)
  case json([String])
}
