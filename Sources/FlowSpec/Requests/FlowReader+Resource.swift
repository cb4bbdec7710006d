import FlowModel
import JSONSyntax
import SourceDiagnostics
import WebSyntax
import YAMLSyntax

extension FlowReader {
  /// Reads a `resource` mapping or its short form.
  mutating func resource(_ value: FieldValue) -> RequestDeclaration? {
    if value.node.isScalar { return read(ResourceKeys.path, short: value).map { RequestDeclaration($0) } }
    let errors = errorCount
    guard let nodes = open(value, as: .resource) else { return nil }
    let written = reading(ResourceKeys.method, of: nodes)
    let method = written.isAbsent ? "GET" : written.value
    let (path, url) = address(nodes)
    var request = RequestDeclaration(path ?? Located(Template([]), at: nodes.range), method: method ?? "GET")
    request.url = url
    let before = errorCount
    let params = read(ResourceKeys.params, of: nodes)
    request.params = params ?? []
    let isEveryParameterKnown = errorCount == before && (params != nil || nodes.isLeftOut(ResourceKeys.params))
    if let path, isEveryParameterKnown { checkParameters(of: path, against: request.params) }
    fill(&request, with: ResourceKeys.stored, from: nodes)
    if let names = read(ResourceKeys.unescaped, of: nodes) {
      request.unescaped = Set(names.map(\.value))
      if nodes.key(ResourceKeys.query) != nil { checkUnescaped(names, in: request.query) }
    }
    request.idempotency = nodes.value(ResourceKeys.idempotency).flatMap {
      idempotency($0, method: method, headers: request.headers)
    }
    if let key = nodes.key(ResourceKeys.body), let method, method == "HEAD" || written.isAbsent {
      report(
        .bodyNotAllowed, "a \(method) request has no body", at: key,
        help: method == "HEAD"
          ? "use another method, or use query"
          : "add 'method: POST', or use query; 'method: GET' sends the body too, for a server that reads it")
    }
    // Many servers refuse a GET with a body, and an empty object has no meaning for them.
    if method == "GET", case .json(let document)? = request.body, document.value.isEmptyObject { request.body = nil }
    guard method != nil, path != nil else { return nil }
    request.isWhole = errorCount == errors && !nodes.hasError
    return request
  }

  /// Reads the path, or the URL that replaces it; with a URL, the returned path is `/`.
  private mutating func address(_ nodes: FieldNodes) -> (path: Located<Template>?, url: Located<Template>?) {
    guard nodes.key(ResourceKeys.url) != nil, nodes.key(ResourceKeys.path) == nil else {
      return (read(ResourceKeys.path, of: nodes), nil)
    }
    guard let url = read(ResourceKeys.url, of: nodes) else { return (nil, nil) }
    guard url.value.constantText == nil else {
      report(
        .invalidURL, "'url' is for URLs that are known only from records or variables", at: url.range,
        help: "write the server in 'http.base_url', and the rest in 'path'")
      return (nil, nil)
    }
    return (Located(Template(text: "/"), at: url.range), url)
  }

  /// Checks that the parameters in `unescaped` are in the query, and that their literal texts can be sent as written.
  private mutating func checkUnescaped(_ names: [Located<String>], in query: [NamedTemplate]) {
    for name in names {
      let items = query.filter { $0.name.value == name.value }
      if items.isEmpty {
        report(
          .unknownParameter, "'query' has no parameter '\(printable(name.value))'", at: name.range,
          suggestion: nearest(to: name.value, in: query.map(\.name.value)), help: "add it to 'query', or leave it out")
      }
      for item in items {
        for case .text(let text) in item.value.value.segments where text.utf8.contains(where: { $0 <= 0x20 }) {
          report(
            .invalidRequestPath, "the unescaped parameter '\(printable(name.value))' contains a space",
            at: item.value.range, help: "write the space as %20, or remove the parameter from 'unescaped'")
          break
        }
      }
    }
  }

  /// Checks that each parameter in the path has a value in `params`, and that `params` has no unused value.
  private mutating func checkParameters(of path: Located<Template>, against params: [NamedTemplate]) {
    let given = Set(params.map(\.name.value))
    var used: Set<String> = []
    for (index, segment) in path.value.segments.enumerated() {
      guard case .text(let text) = segment, text.utf8.contains(UInt8(ascii: "{")),
        let template = try? URITemplate(text)
      else { continue }
      used.formUnion(template.variables)
      guard let missing = template.variables.first(where: { !given.contains($0) }) else { continue }
      let range = path.value.ranges.isEmpty ? path.range : path.value.ranges[index]
      report(
        .unknownParameter, "'params' gives no value for {\(printable(missing))}", at: range,
        suggestion: nearest(to: missing, in: given.sorted()),
        help: "add 'params: { \(printable(missing)): … }', or write %7B for the brace itself")
      return
    }
    for param in params where !used.contains(param.name.value) {
      report(
        .unknownParameter, "the path has no {\(printable(param.name.value))}", at: param.name.range,
        suggestion: nearest(to: param.name.value, in: used.sorted()),
        help:
          "a parameter after '?' belongs in 'query'; a path parameter is written as {\(printable(param.name.value))}")
    }
  }

  /// Reads a path that is appended to the base URL.
  mutating func requestPath(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    guard !template.value.segments.isEmpty else {
      return fail(.missingValue, "the path is empty", at: value.node.range, help: "write '/' for the base URL itself")
    }
    for (index, segment) in template.value.segments.enumerated() {
      guard case .text(let text) = segment, !RequestPathText.isPlain(text) else { continue }
      guard let plain = withoutBraces(text, segment: index, of: template, in: value) else { return nil }
      if let colon = text.firstRange(of: "/:")?.upperBound, text[colon...].utf8.first.map(ASCII.isNameStart) ?? false {
        let name = text[colon...].prefix { $0.utf8.allSatisfy(ASCII.isNameCharacter) }
        let start = text.utf8.distance(from: text.startIndex, to: colon) - 1
        let range =
          template.value.ranges.isEmpty
          ? location(of: start..<start + 1 + name.utf8.count, in: value.node)
          : Self.end(of: template.value.ranges[index], from: start)
        return fail(
          .invalidRequestPath, "':\(name)' is not a parameter and would be sent unchanged", at: range,
          help: "write {\(name)}, and its value in 'params'; a colon itself is %3A")
      }
      do throws(URLSyntaxError) {
        // Only the first piece can contain a scheme or a host.
        try RequestPathText.check(index == 0 ? plain : "x" + plain)
      } catch {
        let offset = index == 0 ? error.offset : max(error.offset - 1, 0)
        let range =
          template.value.ranges.isEmpty
          ? location(of: offset..<text.utf8.count, in: value.node)
          : Self.end(of: template.value.ranges[index], from: offset)
        return fail(.invalidRequestPath, error.message, at: range, help: error.help)
      }
    }
    return template
  }

  /// The text with a letter instead of each expression of a URI template; nil after an error was reported.
  private mutating func withoutBraces(
    _ text: String, segment: Int, of path: Located<Template>, in value: FieldValue
  ) -> String? {
    guard text.utf8.contains(UInt8(ascii: "{")) || text.utf8.contains(UInt8(ascii: "}")) else { return text }
    do throws(URITemplateError) {
      _ = try URITemplate(text)
    } catch {
      let range =
        path.value.ranges.isEmpty
        ? location(of: error.offset..<text.utf8.count, in: value.node)
        : Self.end(of: path.value.ranges[segment], from: error.offset)
      return fail(
        .invalidRequestPath, "the braces in the path are not a valid URI template: \(error)", at: range,
        help: "braces take values from 'params', as in /customers/{id}; write %7B for the brace itself")
    }
    var plain: [UInt8] = []
    var isInside = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "{"): isInside = true
      case UInt8(ascii: "}"):
        isInside = false
        plain.append(UInt8(ascii: "x"))
      default: if !isInside { plain.append(byte) }
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// The part of a range that starts at an offset.
  private static func end(of range: SourceRange, from offset: Int) -> SourceRange {
    let start = min(range.offsets.lowerBound + offset, range.offsets.upperBound)
    return SourceRange(file: range.file, offsets: start..<range.offsets.upperBound)
  }

  mutating func body(_ value: FieldValue) -> BodyDeclaration? {
    open(value, as: .body).flatMap {
      single(
        of: BodyKeys.forms, in: $0, "form of the body", owner: value.key,
        help: "give one of \(listed(BodyKeys.forms.map(\.name)))", missing: .bodyForm)
    }
  }

  /// Reads a GraphQL request and converts it to the JSON document to send.
  mutating func graphql(_ value: FieldValue) -> BodyDeclaration? {
    var members: [(name: String, value: TemplatedJSON)] = []
    if value.node.isScalar {
      guard let query = read(GraphQLKeys.query, short: value) else { return nil }
      members.append(("query", TemplatedJSON(text: query)))
    } else {
      guard let nodes = open(value, as: .graphql), let query = read(GraphQLKeys.query, of: nodes) else { return nil }
      members.append(("query", TemplatedJSON(text: query)))
      if let operation = read(GraphQLKeys.operation, of: nodes) {
        members.append(("operationName", .constant(.string(operation))))
      }
      if nodes.key(GraphQLKeys.variables) != nil {
        guard let variables = read(GraphQLKeys.variables, of: nodes) else { return nil }
        members.append(("variables", variables.value))
      }
    }
    return .graphql(Located(.object(members), at: value.node.range))
  }
}
