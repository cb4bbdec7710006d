/// Translates one resource into one flow. Extensions in separate files translate its parts.
struct DltResourceTranslator {
  let resource: DltResource
  let client: SourceNode?
  let log: ImportLog
  let secrets: DltSecrets
  let draft: FlowDraft
  /// The parent flow: the resource is requested for each of its records.
  var parent: FlowDraft?
  /// The names of the parameters that replace placeholders of the path and are not sent in the query.
  var pathParameters: Set<String> = []
  /// The user name and the password in the URL; nil without them.
  var user: (name: String, password: String)?
  /// The values of `{incremental.…}`; empty without a cursor.
  var bounds: [String: FlowExpression] = [:]

  init(_ resource: DltResource, client: SourceNode?, log: ImportLog, secrets: DltSecrets, draft: FlowDraft) {
    self.resource = resource
    self.client = client
    self.log = log
    self.secrets = secrets
    self.draft = draft
  }

  /// The reason why a resource has no flow: the kind of the loss, the part, and what it would need.
  typealias Refusal = (kind: ImportReport.Kind, what: String, needs: String)

  /// Translates the whole resource.
  ///
  /// - Returns: the reason why the resource has no flow; nil when it has one
  mutating func translate(parent: FlowDraft?) -> Refusal? {
    self.parent = parent
    if parents.count > 1 {
      return (
        .partitions, "the resource '\(resource.label)'",
        "fields of only one parent; it uses fields of the parents \(parents.joined(separator: " and "))"
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

  /// Records a loss, with a comment after the keys that the flow has so far.
  func lose(_ kind: ImportReport.Kind, _ what: String, _ needs: String, _ node: SourceNode) {
    draft.keys.note(log.lose(kind, what, needs: needs, at: OutputMapping.Origin(node), flow: draft.name))
  }

  func skip(_ name: String, _ reason: String, _ node: SourceNode) {
    log.skip(name, reason: reason, at: OutputMapping.Origin(node))
  }

  // MARK: - Parents

  /// The name of the parent resource, whose records replace placeholders; nil for a resource without a parent.
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

  /// The expression for the field at a path in the parent's record; nil for a path that may lead to several values.
  func field(_ path: String) -> FlowExpression? {
    let path = DltPath(path)
    let steps = path.names
    guard !steps.isEmpty, let look = path.look(in: FlowExpression("parent", .any)) else { return nil }
    guard let parent, let schema = parent.schema else { return FlowExpression(look.text, .any) }
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
      guard let field = field(name) else {
        lose(
          .partitions, "include_from_parent: \(name)", "the path of one value",
          resource["include_from_parent"] ?? resource.node)
        continue
      }
      let value = OutputText.quoted("{{ \(field.text) }}")
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
}
