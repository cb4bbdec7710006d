import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What a `resource` says, without what `http` adds.
  struct ResourceReading {
    var method: String
    var path: Located<Template>
    var query: [NamedTemplate]
    var headers: [NamedTemplate]
    var body: BodyDeclaration?
  }

  mutating func resource(_ value: FieldValue) -> ResourceReading? {
    guard !value.node.isNull else { return nil }
    if value.node.isScalar {
      guard let spec = Construct.resource["path"] else { return nil }
      let path = requestPath(FieldValue(spec: spec, node: value.node, key: value.key))
      return path.map { ResourceReading(method: "GET", path: $0, query: [], headers: [], body: nil) }
    }
    guard let fields = open(value.node, as: .resource, owner: value.key) else { return nil }
    let written = fields.value("method")
    let method = written.map { self.method($0) } ?? "GET"
    let path = fields.value("path").flatMap { requestPath($0) }
    let query = namedTemplates(fields.value("query"), role: .parameter)
    let headers = headers(fields.value("headers"))
    let body = fields.value("body").flatMap { self.body($0) }
    if let key = fields.key("body"), let method, method == "GET" || method == "HEAD" {
      report(
        .bodyNotAllowed, "a \(method) request has no body", at: key,
        help: written == nil ? "add 'method: POST', or use query" : "use another method, or use query")
    }
    guard let method, let path else { return nil }
    return ResourceReading(method: method, path: path, query: query, headers: headers, body: body)
  }

  private mutating func method(_ value: FieldValue) -> String? {
    guard case .choice(let methods) = value.spec.kind else { return nil }
    return choice(value, methods)
  }

  private mutating func requestPath(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    guard !template.value.segments.isEmpty else {
      report(.missingValue, "the path is empty", at: value.node.range, help: "write '/' for the base URL itself")
      return nil
    }
    for (index, segment) in template.value.segments.enumerated() {
      guard case .text(let text) = segment else { continue }
      do throws(URLFault) {
        // Only the first piece can hold a scheme or a host.
        try RequestPathText.check(index == 0 ? text : "x" + text)
      } catch {
        let offset = index == 0 ? error.offset : max(error.offset - 1, 0)
        let range =
          template.value.ranges.isEmpty
          ? place(offset..<text.utf8.count, in: value.node)
          : Self.end(of: template.value.ranges[index], from: offset)
        report(.invalidRequestPath, error.message, at: range, help: error.help)
        return nil
      }
    }
    return template
  }

  /// The rest of a range when that many bytes are left out and as many are there.
  private static func end(of range: SourceRange, from offset: Int) -> SourceRange {
    let start = min(range.offsets.lowerBound + offset, range.offsets.upperBound)
    return SourceRange(file: range.file, offsets: start..<range.offsets.upperBound)
  }

  private mutating func body(_ value: FieldValue) -> BodyDeclaration? {
    guard !value.node.isNull, let fields = open(value.node, as: .body, owner: value.key) else { return nil }
    let json = fields.value("json")
    let form = fields.value("form")
    let text = fields.value("text")
    let given = [json, form, text].compactMap { $0 }
    guard given.count == 1 else {
      if given.isEmpty {
        if !fields.isFaulty {
          report(.bodyForm, "the body has no content", at: value.key, help: "give one of 'json', 'form' and 'text'")
        }
      } else {
        // In the order written, so that the later one is marked.
        let later = given.max { $0.key.offsets.lowerBound < $1.key.offsets.lowerBound }
        report(
          .bodyForm, "a body has one form, not \(given.count)", at: later?.key,
          help: "keep one of \(listed(given.map(\.spec.name)))")
      }
      return nil
    }
    if let json { return templatedJSON(json.node, in: json).map { .json(Located($0, at: json.node.range)) } }
    if let form { return .form(namedTemplates(form, role: .parameter)) }
    return text.flatMap { template($0) }.map { .text($0) }
  }
}
