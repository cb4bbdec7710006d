extension DltResourceTranslator {
  /// Translates the method, the address, the parameters, the headers and the body.
  ///
  /// - Returns: the reason why the resource has no flow; nil when it has one
  mutating func request() -> Refusal? {
    let name = "the resource '\(resource.label)'"
    let base = client?["base_url"]?.filled
    guard let address = DltAddress(resource.path.scalar ?? "", base: base) else {
      return (.request, name, "'client.base_url'")
    }
    draft.method = resource.endpoint("method")?.text?.uppercased() ?? "GET"
    guard draft.method != "HEAD" else { return (.request, "\(name) with HEAD", "a response with a body") }
    guard !address.server.contains("{") else { return (.expression, "\(name): its server", "a server without braces") }
    user = address.user
    draft.base = FlowTemplate(literal: address.server)
    guard let path = path(address.path) else {
      return (.expression, "\(name): the path '\(address.path)'", "only placeholders that the configuration defines")
    }
    draft.path = path
    if let url = wholeURL(address.path) { (draft.url, draft.params) = (url, OutputMapping()) }
    for pair in address.query { add(pair.name, resource.path.with(pair.value), isPath: true) }
    for member in resource.endpoint("params")?.members ?? [] where !pathParameters.contains(member.name) {
      add(member.name, member.value)
    }
    headers()
    body()
    return nil
  }

  /// Adds a parameter to the query. If the query already has it, for example from the path's query, it becomes a list.
  private mutating func add(_ name: String, _ node: SourceNode, isPath: Bool = false) {
    guard let value = parameter(name, node, isPath: isPath) else { return }
    let both: OutputNode =
      switch (draft.query[name], value) {
      case (nil, _): value
      case (.list(let known)?, .list(let more)): .list(known + more)
      case (.list(let known)?, _): .list(known + [value])
      case (let known?, .list(let more)): .list([known] + more)
      case (let known?, _): .list([known, value])
      }
    draft.query.set(name, both, from: OutputMapping.Origin(node))
  }

  /// The expression for the whole URL if the path is only a field such as `download_url`, whose name says that it
  /// contains a URL; nil for other paths.
  private func wholeURL(_ path: String) -> FlowTemplate? {
    let parts = DltText.parts(path, isPath: true)
    guard parts.count == 1, case .placeholder(let name)? = parts.first, name.hasPrefix("resources."),
      let last = name.split(separator: ".").last?.lowercased(),
      ["url", "uri", "href", "link"].contains(where: { last.hasSuffix($0) }), let field = expression(name)
    else { return nil }
    return FlowTemplate(expression: field, canBeLeftOut: false)
  }

  private mutating func path(_ text: String) -> FlowTemplate? {
    var result = FlowTemplate(literal: text.hasPrefix("/") ? "" : "/")
    for part in DltText.parts(text, isPath: true) {
      switch part {
      case .literal(let text): result.append(FlowTemplate(literal: Self.escaped(text)))
      case .placeholder(let name):
        guard let value = pathValue(name) else { return nil }
        if value.isConstant {
          result.append(FlowTemplate(literal: Self.escaped(value.text)))
        } else {
          result.append(FlowTemplate(literal: "{+\(pathName(name, value.node))}"))
        }
      }
    }
    return result.singleSlash
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("#", with: "%23")
      .replacing(" ", with: "%20")
  }

  /// The value of a placeholder in the path; nil for unknown names.
  mutating func pathValue(_ name: String) -> FlowTemplate? {
    if let known = expression(name) { return FlowTemplate(expression: known, canBeLeftOut: false) }
    guard let value = resource.endpoint("params")?[name] else { return nil }
    pathParameters.insert(name)
    if value["type"]?.text == "resolve" {
      return value["field"]?.scalar.flatMap { field($0) }.map { FlowTemplate(expression: $0, canBeLeftOut: false) }
    }
    guard let text = value.scalar else { return nil }
    return RequestTranslator.isCredential(name) ? secrets.secret(text, wish: name) : FlowTemplate(literal: text)
  }

  /// The name in `params` for a value in the path. Slashes in the value are kept, as in dlt.
  private func pathName(_ placeholder: String, _ value: OutputNode) -> String {
    let last = placeholder.split { ".[]'\"".contains($0) }.last { Int($0) == nil }
    let word = FlowName.snake(String(last ?? "value"))
    var (name, number) = (word, 2)
    while let known = draft.params[name], known != value {
      name = "\(word)_\(number)"
      number += 1
    }
    draft.params[name] = value
    return name
  }
}
