extension DltResourceTranslator {
  /// The expression for a placeholder; nil for unknown names, and for one with a format such as `{resources.a.id:05d}`.
  func expression(_ name: String) -> FlowExpression? {
    guard !name.contains(":"), !name.contains("!") else { return nil }
    if name.hasPrefix("resources.") {
      let path = name.dropFirst("resources.".count)
      guard let dot = path.firstIndex(of: ".") else { return nil }
      return field(String(path[path.index(after: dot)...]))
    }
    return name.hasPrefix("incremental.") ? bounds[String(name.dropFirst("incremental.".count))] : nil
  }

  /// The template for a text with placeholders; records a loss and returns nil if a placeholder is unknown.
  ///
  /// - Parameters:
  ///   - name: the name of the part; if it is the name of a credential, its literal text becomes a secret
  ///   - isPath: whether the text is a part of the path, in which parameters are placeholders, too
  mutating func template(
    _ text: String, name: String = "", part: String, isPath: Bool = false, at node: SourceNode
  ) -> FlowTemplate? {
    let isCredential = RequestTranslator.isCredential(name)
    let pieces = DltText.parts(text, isPath: isPath)
    var result = FlowTemplate(literal: "")
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .literal(let text) where isCredential:
        let (scheme, rest) = index == 0 ? CredentialText.start(text) : ("", text)
        result.append(FlowTemplate(literal: scheme))
        let isFiller = pieces.count > 1 && !FlowName.isPossible(rest)
        result.append(isFiller || rest.isEmpty ? FlowTemplate(literal: rest) : secrets.secret(rest, wish: wish(name)))
        guard pieces.count > 1, !isFiller, !rest.isEmpty else { break }
        draft.keys.note("\(part): the secret contains only the part of the value that does not come from a record")
      case .literal(let text): result.append(FlowTemplate(literal: text))
      case .placeholder(let name):
        let known =
          isPath ? pathValue(name) : expression(name).map { FlowTemplate(expression: $0, canBeLeftOut: false) }
        guard let known else {
          lose(.expression, "\(part): {\(name)}", "a resource or a cursor of this configuration", node)
          return nil
        }
        result.append(known)
      }
    }
    return result
  }

  private func wish(_ name: String) -> String { name.lowercased() == "authorization" ? "api_token" : name }

  /// Whether a member of a mapping is lost because its name contains placeholders; records the loss.
  private func isNameLost(_ name: String, _ part: String, _ node: SourceNode) -> Bool {
    for case .placeholder(let known) in DltText.parts(name) {
      lose(.expression, "\(part): a name with {\(known)}", "a name that is known before the run", node)
      return true
    }
    return false
  }

  /// The value of a parameter or of a pair in a form; nil if it is not sent or cannot be translated.
  mutating func parameter(_ name: String, _ node: SourceNode, isPath: Bool = false) -> OutputNode? {
    guard !isNameLost(name, "params", node) else { return nil }
    switch node.content {
    case .null: return nil
    // dlt writes booleans as Python does.
    case .bool(let value): return .text(value ? "True" : "False")
    case .number(let text):
      return RequestTranslator.isCredential(name) ? secrets.secret(text, wish: name).node : .scalar(text)
    case .list(let elements):
      var values: [OutputNode] = []
      for element in elements { if let value = parameter(name, element) { values.append(value) } }
      return .list(values)
    case .text(let text):
      if DltTranslator.isObject(node) {
        lose(.customCode, "params.\(name)", "a plain value instead of the printed form of a Python object", node)
        return nil
      }
      return template(text, name: name, part: "params.\(name)", isPath: isPath, at: node)?.node
    case .mapping:
      switch node["type"]?.text {
      case "incremental": return nil
      case "resolve":
        if let field = node["field"]?.scalar.flatMap({ self.field($0) }) {
          return FlowTemplate(expression: field, canBeLeftOut: false).node
        }
        lose(.expression, "params.\(name): \(node["field"]?.scalar ?? "")", "the path of one value", node)
        return nil
      default:
        lose(.request, "params.\(name): an object", "a text or a list", node)
        return nil
      }
    }
  }

  /// Translates the headers. The headers of the client contain no placeholders; a header of the endpoint replaces one
  /// of the client with the same name.
  mutating func headers() {
    var seen: Set<String> = []
    let own = resource.endpoint("headers")?.members ?? []
    let shared = client?["headers"]?.members ?? []
    for (index, member) in (own + shared).enumerated() where seen.insert(member.name.lowercased()).inserted {
      guard let text = member.value.scalar, !member.name.isEmpty else { continue }
      if DltTranslator.isObject(member.value) {
        lose(
          .customCode, "headers.\(member.name)", "a plain value instead of the printed form of a Python object",
          member.value)
        continue
      }
      guard RequestTranslator.isToken(member.name) else {
        lose(.request, "headers: '\(member.name)'", "a name that a header can have (RFC 9110)", member.value)
        continue
      }
      // Braces of a literal text are doubled where placeholders are read.
      let written = index < own.count ? text : text.replacing("{", with: "{{").replacing("}", with: "}}")
      guard let template = template(written, name: member.name, part: "headers.\(member.name)", at: member.value)
      else { continue }
      draft.headers.set(member.name, template.node, from: OutputMapping.Origin(member.value))
    }
  }

  /// Translates the body.
  mutating func body() {
    if let json = resource.endpoint("json") {
      switch value(json, "json") {
      case .mapping(let mapping)?: draft.body = .json(mapping)
      case .list(let elements)?: draft.body = .list(elements)
      default: break
      }
    }
    guard let data = resource.endpoint("data") else { return }
    if let members = data.members {
      var form = OutputMapping()
      for member in members {
        if let node = parameter(member.name, member.value) {
          form.set(member.name, node, from: OutputMapping.Origin(member.value))
        }
      }
      draft.body = .form(form)
    } else if let text = data.scalar {
      if DltTranslator.isObject(data) {
        lose(.customCode, "data", "a plain body instead of the printed form of a Python object", data)
      } else if let template = bodyText(text, data) {
        draft.body = .text(template.node)
      }
    }
  }

  /// A value of a JSON body.
  private mutating func value(_ node: SourceNode, _ name: String) -> OutputNode? {
    guard !isNameLost(name, "json", node) else { return nil }
    switch node.content {
    case .null: return .scalar("null")
    case .bool(let value): return .scalar(value ? "true" : "false")
    case .number(let text):
      guard RequestTranslator.isCredential(name) else { return .scalar(text) }
      lose(.request, "json: the number of '\(name)'", "a text, because a secret is sent as a text", node)
      return secrets.secret(text, wish: name).node
    case .text(let text):
      return template(text, name: name, part: name, at: node)?.node ?? .scalar("null")
    case .list(let elements):
      var values: [OutputNode] = []
      for element in elements { if let value = value(element, name) { values.append(value) } }
      return .list(values)
    case .mapping(let members):
      var result = OutputMapping()
      for member in members {
        if let node = value(member.value, member.name) {
          result.set(member.name, node, from: OutputMapping.Origin(member.value))
        }
      }
      return .mapping(result)
    }
  }
}
