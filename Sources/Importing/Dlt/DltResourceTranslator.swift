/// Translates one resource into one flow, with the help of one file for each part.
struct DltResourceTranslator {
  let resource: DltResource
  let client: SourceNode?
  let log: ImportLog
  let secrets: DltSecrets
  let draft: FlowDraft
  /// The flow whose records the resource is requested for.
  var parent: FlowDraft?
  /// Parameters that fill braces of the path.
  private(set) var pathParameters: Set<String> = []
  /// What `{incremental.…}` stands for; empty without a cursor.
  var bounds: [String: FlowExpression] = [:]

  init(_ resource: DltResource, client: SourceNode?, log: ImportLog, secrets: DltSecrets, draft: FlowDraft) {
    self.resource = resource
    self.client = client
    self.log = log
    self.secrets = secrets
    self.draft = draft
  }

  /// A reason for which a resource has no flow.
  typealias Refusal = (kind: ImportReport.Kind, what: String, needs: String)

  /// Translates everything.
  ///
  /// - Returns: why the resource has no flow; nil when it has one
  mutating func translate(parent: FlowDraft?) -> Refusal? {
    self.parent = parent
    if parents.count > 1 {
      return (
        .partitions, "the resource '\(resource.name)'",
        "fields of one parent; these are \(parents.joined(separator: " and "))"
      )
    }
    if let parent { draft.keys.set("each", .text(parent.name), from: draft.origin) }
    schema()
    let cursor = plan()
    if let refusal = request() { return refusal }
    authorization()
    records()
    includeFromParent()
    pages()
    if let cursor { finish(cursor) }
    errors()
    others()
    return nil
  }

  // MARK: - Losses

  /// Records a loss with a comment at the present position of the flow.
  func lose(_ kind: ImportReport.Kind, _ what: String, _ needs: String, _ node: SourceNode) {
    draft.keys.note(log.lose(kind, what, needs: needs, at: OutputMapping.Origin(node), flow: draft.name))
  }

  func skip(_ name: String, _ reason: String, _ node: SourceNode) {
    log.skip(name, reason: reason, at: OutputMapping.Origin(node))
  }

  // MARK: - Parents

  /// The name of the resource whose records fill placeholders; nil for a resource of its own.
  var parentName: String? { parents.first }

  private var parents: [String] {
    var names: [String] = []
    func add(_ name: Substring?) {
      if let name, !name.isEmpty, !names.contains(String(name)) { names.append(String(name)) }
    }
    func visit(_ node: SourceNode?, isPath: Bool = false, depth: Int = 0) {
      guard let node, depth < 40 else { return }
      if node["type"]?.text == "resolve" { return add(node["resource"]?.text?[...]) }
      for member in node.members ?? [] { visit(member.value, depth: depth + 1) }
      for element in node.list ?? [] { visit(element, depth: depth + 1) }
      guard let text = node.text else { return }
      for case .placeholder(let name) in DltText.parts(text, isPath: isPath) where name.hasPrefix("resources.") {
        add(name.split(separator: ".").dropFirst().first)
      }
    }
    visit(resource.path, isPath: true)
    for key in ["params", "json", "data", "headers"] { visit(resource.endpoint(key)) }
    return names
  }

  /// A field of the parent's record, by its path.
  func field(_ path: String) -> FlowExpression {
    let steps = DltPath(path).names
    guard let parent, let schema = parent.schema else {
      return steps.reduce(FlowExpression("parent", .any)) { FlowExpression($0.member($1).text, .any) }
    }
    let name = steps.joined(separator: "_")
    if schema[name] == nil {
      var field = SchemaDraft.Field(
        name: name, type: OutputMapping([("type", .scalar("json"))]), isOptional: false, origin: draft.origin)
      if steps.count > 1 { field.from = OutputText.path(steps) }
      schema.add(field)
    }
    schema[name]?.isOptional = false
    return FlowExpression(FlowExpression("parent", .any).member(name).text, .any)
  }

  private func includeFromParent() {
    let fields = resource.names("include_from_parent")
    guard !fields.isEmpty else { return }
    guard let parent else {
      return lose(
        .partitions, "include_from_parent", "a parent", resource["include_from_parent"] ?? resource.node)
    }
    var added = OutputMapping()
    for name in fields {
      let target = "_\(parentName ?? parent.name)_\(name)"
      let value = OutputText.quoted("{{ \(field(name).text) }}")
      if let schema = draft.schema {
        var field = SchemaDraft.Field(
          name: target, type: OutputMapping([("type", .scalar("json"))]), isOptional: false, origin: draft.origin)
        field.value = value
        schema.add(field)
      } else {
        added[target] = .scalar(value)
      }
    }
    guard !added.isEmpty else { return }
    draft.keys["each"] = .map([("flow", .text(parent.name)), ("add", .mapping(added))])
  }

  // MARK: - Request

  private mutating func request() -> Refusal? {
    guard let base = client?["base_url"]?.filled ?? (isWhole(resource.path.scalar) ? "" : nil) else {
      return (.request, "the resource '\(resource.name)'", "'client.base_url'")
    }
    draft.method = resource.endpoint("method")?.text?.uppercased() ?? "GET"
    if let refusal = address(base) { return refusal }
    for member in resource.endpoint("params")?.members ?? [] where !pathParameters.contains(member.name) {
      if let node = parameter(member.name, member.value) {
        draft.query.set(member.name, node, from: OutputMapping.Origin(member.value))
      }
    }
    headers()
    body()
    return nil
  }

  private func isWhole(_ path: String?) -> Bool {
    path.map { $0.hasPrefix("http://") || $0.hasPrefix("https://") } ?? false
  }

  private mutating func address(_ base: String) -> Refusal? {
    let text = resource.path.scalar ?? ""
    var (server, path) = (base, text)
    if isWhole(text) { (server, path) = URLText.origin(of: text) }
    let (inner, question) = URLText.split(path, at: "?")
    while server.hasSuffix("/") { server.removeLast() }
    draft.base = FlowTemplate(literal: server)
    guard let template = self.path(inner) else {
      return (.expression, "the resource '\(resource.name)': the path '\(text)'", "placeholders that are known")
    }
    draft.path = template
    for pair in URLText.pairs(question) {
      if let node = parameter(pair.name, resource.path.with(pair.value)) {
        draft.query.set(pair.name, node, from: OutputMapping.Origin(resource.path))
      }
    }
    return nil
  }

  private mutating func path(_ text: String) -> FlowTemplate? {
    var result = FlowTemplate(literal: text.hasPrefix("/") ? "" : "/")
    for part in DltText.parts(text, isPath: true) {
      switch part {
      case .literal(let text):
        let escaped = text.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("#", with: "%23")
        result.append(FlowTemplate(literal: escaped.replacing(" ", with: "%20")))
      case .placeholder(let name):
        if let known = expression(name) {
          result.append(FlowTemplate(expression: known, canBeLeftOut: false))
        } else if let value = resource.endpoint("params")?[name] {
          pathParameters.insert(name)
          if value["type"]?.text == "resolve", let path = value["field"]?.scalar {
            result.append(FlowTemplate(expression: field(path), canBeLeftOut: false))
          } else if let text = value.scalar {
            result.append(FlowTemplate(literal: text))
          } else {
            return nil
          }
        } else {
          return nil
        }
      }
    }
    return result.singleSlash
  }

  /// What a placeholder stands for; nil for other names.
  private func expression(_ name: String) -> FlowExpression? {
    if name.hasPrefix("resources.") {
      let path = name.dropFirst("resources.".count)
      guard let dot = path.firstIndex(of: ".") else { return nil }
      return field(String(path[path.index(after: dot)...]))
    }
    return name.hasPrefix("incremental.") ? bounds[String(name.dropFirst("incremental.".count))] : nil
  }

  /// A text with placeholders; records a loss and returns nil when one is not known.
  private func template(_ text: String, _ part: String, _ node: SourceNode) -> FlowTemplate? {
    var result: FlowTemplate?
    for piece in DltText.parts(text) {
      let next: FlowTemplate
      switch piece {
      case .literal(let text): next = FlowTemplate(literal: text)
      case .placeholder(let name):
        guard let known = expression(name) else {
          lose(.expression, "\(part): {\(name)}", "a resource or a cursor of this configuration", node)
          return nil
        }
        next = FlowTemplate(expression: known, canBeLeftOut: false)
      }
      if result == nil { result = next } else { result?.append(next) }
    }
    return result ?? FlowTemplate(literal: "")
  }

  private func parameter(_ name: String, _ node: SourceNode) -> OutputNode? {
    switch node.content {
    case .null: return nil
    // The other program writes booleans as Python does.
    case .bool(let value): return .text(value ? "True" : "False")
    case .number(let text): return .scalar(text)
    case .list(let elements): return .list(elements.compactMap { parameter(name, $0) })
    case .text(let text):
      if DltTranslator.isObject(node) {
        lose(.customCode, "params.\(name)", "a value that is no object of Python", node)
        return nil
      }
      if RequestTranslator.isCredential(name), !text.isEmpty { return secrets.secret(text, wish: name).node }
      return template(text, "params.\(name)", node)?.node
    case .mapping:
      switch node["type"]?.text {
      case "incremental": return nil
      case "resolve":
        guard let path = node["field"]?.scalar else { return nil }
        return FlowTemplate(expression: field(path), canBeLeftOut: false).node
      default:
        lose(.request, "params.\(name): an object", "a text or a list", node)
        return nil
      }
    }
  }

  private func headers() {
    var seen: Set<String> = []
    let own = resource.endpoint("headers")?.members ?? []
    for member in own + (client?["headers"]?.members ?? []) where seen.insert(member.name.lowercased()).inserted {
      guard let text = member.value.scalar, !member.name.isEmpty else { continue }
      if DltTranslator.isObject(member.value) {
        lose(.customCode, "headers.\(member.name)", "a value that is no object of Python", member.value)
        continue
      }
      guard RequestTranslator.isToken(member.name) else {
        lose(.request, "headers: '\(member.name)'", "a name that a header can have (RFC 9110)", member.value)
        continue
      }
      var template = self.template(text, "headers.\(member.name)", member.value)
      if RequestTranslator.isCredential(member.name), !text.isEmpty {
        let (scheme, value) = CredentialText.parts(text)
        template = FlowTemplate(literal: scheme)
        let wish = member.name.lowercased() == "authorization" ? "api_token" : member.name
        template?.append(secrets.secret(value, wish: wish))
      }
      guard let template else { continue }
      draft.headers.set(member.name, template.node, from: OutputMapping.Origin(member.value))
    }
  }

  private func body() {
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
    } else if let text = data.scalar, let template = template(text, "data", data) {
      draft.body = .text(template.node)
    }
  }

  /// A value of a JSON body.
  private func value(_ node: SourceNode, _ name: String) -> OutputNode? {
    switch node.content {
    case .null: return .scalar("null")
    case .bool(let value): return .scalar(value ? "true" : "false")
    case .number(let text): return .scalar(text)
    case .text(let text):
      if RequestTranslator.isCredential(name), !text.isEmpty { return secrets.secret(text, wish: name).node }
      return template(text, name, node)?.node ?? .scalar("null")
    case .list(let elements): return .list(elements.compactMap { value($0, name) })
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

/// A path into a JSON value, as dlt writes it: `a.b`, `$.a.b` or `a[0].b`.
struct DltPath {
  /// The path as a JSONPath.
  let text: String

  init(_ text: String) { self.text = text.hasPrefix("$") ? text : text.hasPrefix("[") ? "$" + text : "$." + text }

  /// The names on the way, for paths that have nothing else.
  var names: [String] {
    var rest = text.dropFirst()
    if rest.hasPrefix(".") { rest = rest.dropFirst() }
    return rest.split { $0 == "." || $0 == "[" || $0 == "]" }.map { part in
      var part = String(part)
      if let quote = part.first, quote == "'" || quote == "\"", part.last == quote, part.count > 1 {
        part = String(part.dropFirst().dropLast())
      }
      return part
    }
  }
}
