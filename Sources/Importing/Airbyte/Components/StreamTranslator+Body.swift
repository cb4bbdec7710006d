/// The body of a request.
extension StreamTranslator {
  func body(_ requester: Component) {
    if let body = requester.child("request_body") {
      guard let value = body["value"] else { return }
      switch body.type {
      case "RequestBodyPlainText": return text(value, body)
      case "RequestBodyUrlEncodedForm": return form(value, body)
      case "RequestBodyJsonObject": return json(value, body)
      case "RequestBodyGraphQL": return graphql(value, body)
      default: return loseUnknown(body, as: "request_body")
      }
    }
    if let data = requester["request_body_data"] {
      if data.members != nil { form(data, requester) } else { text(data, requester) }
    }
    if let value = requester["request_body_json"] { json(value, requester) }
  }

  private func text(_ value: SourceNode, _ component: Component) {
    guard let template = template(value, of: component, as: "request_body_data") else { return }
    draft.body = .text(template.node)
    // A text is sent with the media type of texts, unless a header names another.
    if !draft.headers.entries.contains(where: { $0.name.lowercased() == "content-type" }) {
      draft.headers["Content-Type"] = .text("application/x-www-form-urlencoded")
    }
  }

  private func graphql(_ value: SourceNode, _ body: Component) {
    guard let query = value["query"], let template = template(query, of: body, as: "request_body.query") else { return }
    var result = OutputMapping([("query", template.node)])
    for member in value.members ?? [] where member.name != "query" {
      let field = "request_body.\(member.name)"
      if member.name == "operationName", let name = constant(member.value, of: body) {
        result["name"] = .text(name)
      } else if member.name == "variables",
        case .mapping(let variables)? = self.value(member.value, of: body, as: field, isJSON: true)
      {
        result.set("variables", .mapping(variables), from: OutputMapping.Origin(member.value))
      } else {
        lose(
          .request, field, needs: "a GraphQL request with only a query, variables and an operation name",
          at: member.value)
      }
    }
    result.order(["query", "variables", "name"])
    draft.body = .graphql(result.items.count == 1 ? template.node : .mapping(result))
  }

  private func form(_ value: SourceNode, _ component: Component) {
    var form = OutputMapping()
    for member in value.members ?? [] {
      guard let name = name(of: member, in: "request_body_data", of: component),
        let value = self.value(member.value, of: component, as: "request_body_data.\(member.name)")
      else { continue }
      form.set(name, value, from: OutputMapping.Origin(member.value))
    }
    draft.body = .form(form)
  }

  private func json(_ value: SourceNode, _ component: Component) {
    switch value.content {
    case .mapping:
      if case .mapping(let mapping)? = self.value(value, of: component, as: "request_body_json", isJSON: true) {
        // Airbyte sends no body if no member is left.
        if !mapping.isEmpty { draft.body = .json(mapping) }
      }
    case .list:
      if case .list(let elements)? = self.value(value, of: component, as: "request_body_json", isJSON: true) {
        draft.body = .list(elements)
      }
    default:
      guard let template = computedJSON(value, component) ?? template(value, of: component, as: "request_body_json")
      else { return }
      draft.body = .text(template.node)
      if !draft.headers.entries.contains(where: { $0.name.lowercased() == "content-type" }) {
        draft.headers["Content-Type"] = .text("application/json")
      }
    }
  }

  /// The template for the JSON of a body whose text is one expression: a mapping, or a choice between mappings; nil for
  /// other texts.
  private func computedJSON(_ value: SourceNode, _ component: Component) -> FlowTemplate? {
    guard let only = (try? JinjaTemplate(value.text ?? ""))?.only, only.members != nil else { return nil }
    let translator = JinjaTranslator(names.of(component))
    guard let text = try? Self.json(only, translator) else { return nil }
    return FlowTemplate(expression: text, canBeLeftOut: false)
  }

  private static func json(
    _ expression: JinjaExpression, _ translator: JinjaTranslator
  ) throws(JinjaError) -> FlowExpression {
    if case .conditional(let condition, let then, let otherwise?) = expression {
      return try translator.conditional(condition, try json(then, translator), try json(otherwise, translator))
    }
    return FlowExpression("to_json(\(try translator.translate(expression).text))", .string)
  }
}
