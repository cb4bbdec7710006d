extension StreamTranslator {
  /// Translates an `HttpRequester`: server, path, method, query, headers and body.
  func request(_ requester: Component) {
    address(requester)
    if let node = requester["http_method"], let text = node.text {
      if let method = constant(node, of: requester) {
        draft.method = method.uppercased()
      } else {
        lose(.request, "http_method: \(text)", needs: "a method that is known before a run", at: node)
      }
    }
    parameters(requester)
    headers(requester)
    body(requester)
    if let seconds = requester["read_timeout_in_seconds"]?.scalar, let value = Double(seconds), value >= 1 {
      draft.timeout = .scalar("\(Int(value))s")
    }
  }

  // MARK: - Address

  private func address(_ requester: Component) {
    var base = requester["url_base"]
    var path = requester["path"]
    // A path is joined to either of them.
    if let url = requester["url"], base == nil || requester.node["url"] != nil {
      base = url
      if path?.scalar?.isEmpty ?? true { path = nil }
    }
    var (server, rest, question) = (base?.scalar ?? "", "", "")
    let ownPath = path?.scalar ?? ""
    if ownPath.hasPrefix("http://") || ownPath.hasPrefix("https://") { (server, path) = (ownPath, nil) }
    (server, question) = URLText.split(server, at: "?")
    if path == nil {
      // A whole URL: the origin is the server.
      (server, rest) = URLText.origin(of: server)
    } else {
      let pieces = URLText.split(ownPath, at: "?")
      rest = pieces.0
      if !pieces.1.isEmpty { question += (question.isEmpty ? "" : "&") + pieces.1 }
    }
    if rest.isEmpty || rest == "/", !server.isEmpty, path != nil || base != nil {
      // Without a path the last part of the server's URL is the path: with a slash after it, the URL may lead to
      // another resource.
      let (origin, inner) = URLText.origin(of: server)
      if !inner.isEmpty, inner != "/" { (server, rest) = (origin, inner) }
    }
    while server.hasSuffix("/"), !server.hasSuffix("//") { server.removeLast() }
    // A slash at the end of the server's URL makes no difference here.
    for call in [".rstrip('/')", ".rstrip(\"/\")"] { server = server.replacing(call, with: "") }
    if !rest.hasPrefix("/") { rest = "/" + rest }
    // In a path, a number sign does not begin a fragment.
    while case let (before, after) = URLText.split(rest, at: "#"), before.utf8.count < rest.utf8.count {
      rest = before + "%23" + after
    }
    let node = base ?? path ?? requester.node
    if server.isEmpty {
      lose(.request, "a request without 'url_base'", needs: "the server's URL", at: requester)
      server = "https://example.invalid"
    }
    if let template = template(node.with(server), of: requester, as: "url_base") { draft.base = template }
    if let template = template((path ?? node).with(rest), of: requester, as: "path") {
      draft.path = template.singleSlash
      keepSlashes()
    }
    // A value of the configuration may have a path: with a slash after it, the URL may lead to another resource.
    if rest == "/", server.hasSuffix("}}") { draft.useBaseAsURL() }
    if !question.isEmpty { pairs(question, (path ?? node), requester) }
  }

  /// Lets values of parents and lists keep their slashes in the path, as `owner/name` does: the manifest's runner sends
  /// a path as it is. Ids have no slashes.
  private func keepSlashes() {
    for (key, value) in names.partitions.sorted(by: { $0.key < $1.key }) {
      let name = value.text.split(separator: ".").last.map(String.init) ?? key
      let word = value.text.contains(".") ? name : key
      let mayHaveSlash =
        value.text.contains(".")
        ? !Self.isId(word) : ["repo", "path", "project", "name", "file", "folder"].contains { word.contains($0) }
      guard value.kind == .any || value.kind == .string, mayHaveSlash else { continue }
      draft.path.useParameter(word, for: "{{ \(value.text) }}") { draft.params[word] = $0 }
    }
  }

  /// Whether a name is the name of an id or a code, whose value has no slash.
  private static func isId(_ name: String) -> Bool {
    let words: Set<String> = ["id", "ids", "uuid", "guid", "gid", "sid", "key", "code", "number", "date", "type"]
    let start = name.lastIndex { $0 == "_" || $0.isUppercase } ?? name.startIndex
    return words.contains(name[start...].lowercased().replacing("_", with: "")) || words.contains(name.lowercased())
  }

  /// Adds the pairs of a query that is one text to the query of the request.
  private func pairs(_ text: String, _ node: SourceNode, _ requester: Component) {
    var rest = text
    while !rest.isEmpty {
      let (pair, more) = URLText.split(rest, at: "&")
      rest = more
      guard !pair.isEmpty, !pair.hasPrefix("="), let (name, value) = self.pair(pair, node, of: requester) else {
        continue
      }
      draft.query.set(name, value.node, from: OutputMapping.Origin(node))
    }
  }

  // MARK: - Query and headers

  private func parameters(_ requester: Component) {
    guard let node = requester["request_parameters"] else { return }
    guard let members = node.members else {
      if let text = node.text {
        if let members = computedMembers(node, of: requester, in: "request_parameters") {
          for member in members { draft.query.set(member.name, member.value, from: OutputMapping.Origin(node)) }
        } else if text.contains("{%") || text.hasPrefix("{{") {
          lose(.request, "request_parameters: \(text)", needs: "a mapping of parameters", at: node)
        } else {
          pairs(text, node, requester)
        }
      }
      return
    }
    for member in members {
      guard let name = name(of: member, in: "request_parameters", of: requester) else { continue }
      if member.value["type"]?.text == "QueryProperties" {
        if let listed = draft.listedProperties {
          draft.query.set(name, listed, from: OutputMapping.Origin(member.value))
        }
      } else if let value = value(member.value, of: requester, as: "request_parameters.\(member.name)") {
        draft.query.set(name, value, from: OutputMapping.Origin(member.value))
      }
    }
  }

  private func headers(_ requester: Component) {
    guard let node = requester["request_headers"] else { return }
    guard let members = node.members else {
      if let members = computedMembers(node, of: requester, in: "request_headers") {
        for member in members { draft.headers.set(member.name, member.value, from: OutputMapping.Origin(node)) }
        return
      }
      lose(.request, "request_headers: \(node.scalar ?? "")", needs: "a mapping of headers", at: node)
      return
    }
    for member in members {
      guard let name = name(of: member, in: "request_headers", of: requester) else { continue }
      let reserved = ["host", "content-length", "transfer-encoding", "connection"]
      if reserved.contains(name.lowercased()) { continue }
      if let value = value(member.value, of: requester, as: "request_headers.\(member.name)") {
        draft.headers.set(name, value, from: OutputMapping.Origin(member.value))
      }
    }
  }

  /// The members of a mapping that is written as one expression, without members that have no value; nil for other
  /// texts.
  private func computedMembers(
    _ node: SourceNode, of requester: Component, in field: String
  ) -> [(name: String, value: OutputNode)]? {
    guard let only = (try? JinjaTemplate(node.text ?? ""))?.only, let members = only.members else { return nil }
    let translator = TemplateTranslator(names.of(requester))
    var result: [(name: String, value: OutputNode)] = []
    for member in members {
      do throws(JinjaError) {
        let template = try translator.template(of: member.value, canBeLeftOut: true)
        if template.text != "{{ optional(null) }}" { result.append((member.name, template.node)) }
      } catch {
        lose(.expression, "\(field).\(member.name)", needs: "a translatable text: \(error.message)", at: node)
      }
    }
    return result
  }

  // MARK: - Options

  /// The part of a request that a `RequestOption` names.
  func target(_ option: Component) -> RequestTarget? {
    let path = (option["field_path"]?.list ?? []).compactMap { constant($0, of: option) }
    let name = isUndeclared(option["field_name"]) ? "" : constant(option["field_name"], of: option) ?? path.first
    if name == "", option["inject_into"]?.text == "request_parameter" {
      skip("a parameter without a name", reason: "a server does not read it", at: option.node)
      return nil
    }
    guard let name, !name.isEmpty else {
      lose(.request, "a request option without a name", needs: "'field_name'", at: option)
      return nil
    }
    switch option["inject_into"]?.text {
    case "request_parameter": return .query(name)
    case "header": return .header(name)
    case "body_data": return .form(name)
    case "body_json": return .json(path.isEmpty ? [name] : path)
    default:
      lose(.request, "inject_into: \(option["inject_into"]?.scalar ?? "")", needs: "a part of a request", at: option)
      return nil
    }
  }

  /// Whether a name is an expression for a configuration value that the manifest does not declare. In Airbyte, such a
  /// name is empty.
  private func isUndeclared(_ node: SourceNode?) -> Bool {
    guard let only = (try? JinjaTemplate(node?.scalar ?? ""))?.only, let path = JinjaTranslator(names).chain(only)
    else {
      return false
    }
    return path.root == "config" && path.fallback == nil && !names.variables.isDeclared(path.keys)
  }

  /// Puts an expression into the request.
  func inject(_ value: FlowExpression, into target: RequestTarget, at component: Component) {
    let isNumber = value.isLiteral && value.kind != .string
    let node = isNumber ? .scalar(value.text) : FlowTemplate(expression: value, canBeLeftOut: true).node
    do throws(JinjaError) {
      try draft.inject(node, into: target, from: OutputMapping.Origin(component))
    } catch {
      lose(.request, "a value in the body", needs: "a body that allows it: \(error.message)", at: component)
    }
  }
}
