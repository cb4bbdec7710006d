internal import JSONSyntax

extension RequestTranslator {
  /// Deeper JSON is sent as text: a flow file has a limit on nesting.
  private static let maximumDepth = 30

  /// Translates the body.
  func body() {
    let origin = request.bodyOrigin ?? request.origin
    switch request.body {
    case .none, .unknown: return
    case .form(let pairs): form(pairs)
    case .text(let text, let type): self.text(text, type, at: origin)
    case .graphql(let query, let variables, let operation): graphql(query, variables, operation, at: origin)
    }
  }

  private func form(_ pairs: [CollectedRequest.Pair]) {
    var form = OutputMapping()
    for pair in pairs {
      guard let name = name(pair.name, as: "body", at: pair.origin),
        let node = member(name, pair.value, as: "body.\(name)", at: pair.origin)?.node
      else { continue }
      switch form[name] {
      case .list(let elements)?: form[name] = .list(elements + [node])
      case let first?: form[name] = .list([first, node])
      case nil: form.set(name, node, from: pair.origin)
      }
    }
    draft.body = .form(form)
    dropContentType("application/x-www-form-urlencoded")
  }

  /// Translates a value in a body or a token request; a credential becomes a secret.
  func member(_ name: String, _ value: String, as part: String, at origin: OutputMapping.Origin)
    -> FlowTemplate?
  {
    Self.isCredential(name, value)
      ? credential(value, name, as: part, at: origin) : template(value, as: part, at: origin)
  }

  private func text(_ text: String, _ type: String?, at origin: OutputMapping.Origin) {
    // JSON is written as JSON under any name, so that its members are seen.
    if let value = try? JSONValue(parsing: text), value.isObjectOrArray, let node = json(value, "", at: origin) {
      switch node {
      case .mapping(let mapping): draft.body = .json(mapping)
      case .list(let elements): draft.body = .list(elements)
      case .scalar: return
      }
      if let type, type != "application/json", contentType == nil { draft.headers["Content-Type"] = .text(type) }
      dropContentType("application/json")
      return
    }
    if let pairs = pairs(text, type, at: origin) { return form(pairs) }
    guard let template = template(text, as: "body", at: origin) else { return }
    draft.body = .text(template.node)
    if let type, contentType == nil { draft.headers["Content-Type"] = .text(type) }
  }

  /// The pairs of a form that is written as a text; nil for other texts, and if the values of variables could contain
  /// other pairs.
  private func pairs(_ text: String, _ type: String?, at origin: OutputMapping.Origin) -> [CollectedRequest.Pair]? {
    guard (contentType ?? type)?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
      !text.contains(where: \.isNewline)
    else { return nil }
    let pairs = URLText.pairs(text.trimmed)
    let isForm = pairs.allSatisfy { name, value in
      !Self.isTemplate(name) && (!Self.isTemplate(value) || Self.isCredential(name))
    }
    guard isForm else { return nil }
    return pairs.map { name, value in
      CollectedRequest.Pair(
        name: Self.decoded(name), value: Self.isTemplate(value) ? value : Self.decoded(value), origin: origin)
    }
  }

  private var contentType: String? {
    draft.headers.entries.first { $0.name.lowercased() == "content-type" }?.value.scalar
  }

  /// Removes the header `Content-Type` if the flow sends it because of the body.
  private func dropContentType(_ type: String) {
    for entry in draft.headers.entries where entry.name.lowercased() == "content-type" {
      if entry.value.scalar?.lowercased() == type { draft.headers[entry.name] = nil }
    }
  }

  /// A JSON value as it is written in `body.json`; nil for a value that is not allowed there.
  func json(_ value: JSONValue, _ name: String, at origin: OutputMapping.Origin, depth: Int = 0) -> OutputNode? {
    guard depth < Self.maximumDepth else { return nil }
    switch value {
    case .null: return .scalar("null")
    case .bool(let value): return .scalar(value ? "true" : "false")
    case .number(let number): return .scalar(number.text)
    case .string(let text):
      // A member that is lost leaves its name out, with a comment at the flow.
      return member(name, text, as: "body\(name.isEmpty ? "" : ".\(name)")", at: origin)?.node ?? .scalar("null")
    case .array(let elements):
      var result: [OutputNode] = []
      for element in elements {
        guard let node = json(element, "", at: origin, depth: depth + 1) else { return nil }
        result.append(node)
      }
      return .list(result)
    case .object(let object):
      var result = OutputMapping()
      for member in object.members {
        guard !member.name.contains("{{"), !member.name.isEmpty,
          let node = json(member.value, member.name, at: origin, depth: depth + 1)
        else { return nil }
        result.append(member.name, node, from: origin)
      }
      return .mapping(result)
    }
  }

  private func graphql(_ query: String, _ variables: String?, _ operation: String?, at origin: OutputMapping.Origin) {
    guard let query = template(query, as: "body.query", at: origin) else { return }
    var result = OutputMapping([("query", query.node)])
    if let text = variables?.trimmed, !text.isEmpty, text != "{}" {
      if let value = try? JSONValue(parsing: text), case .mapping(let mapping)? = json(value, "", at: origin) {
        result["variables"] = .mapping(mapping)
      } else {
        lose(.request, "body.variables", needs: "a JSON object with variables only inside of texts", at: origin)
      }
    }
    if let operation, !operation.isEmpty { result["name"] = .text(operation) }
    draft.body = .graphql(result.items.count == 1 ? query.node : .mapping(result))
    if draft.method == "GET" { draft.method = "POST" }
    dropContentType("application/json")
  }
}

extension JSONValue {
  fileprivate var isObjectOrArray: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}
