/// Translates the resources of a configuration.
struct DltTranslator {
  private static let maximumFlows = 5_000
  private static let maximumParents = 100

  private let config: SourceNode
  private let client: SourceNode?
  private let log: ImportLog
  private let secrets: DltSecrets
  private var flows: [FlowDraft] = []
  private var notes: [String] = []
  private var resources: [String: DltResource] = [:]
  private var drafts: [String: FlowDraft] = [:]
  private var open: Set<String> = []
  /// The names of the resources that cannot become a flow.
  private var refused: Set<String> = []
  private var names = UniqueNames()

  init(_ config: SourceNode, log: ImportLog) {
    self.config = config
    self.log = log
    client = config["client"]
    secrets = DltSecrets(log)
  }

  /// The flow file with all flows that were translated.
  var file: FlowFileDraft {
    var file = FlowFileDraft(flows)
    file.notes = notes
    file.secrets = secrets.names
    return file
  }

  /// Records a loss of the whole file.
  mutating func note(_ kind: ImportReport.Kind, _ what: String, _ needs: String, _ node: SourceNode) {
    notes.append(log.lose(kind, what, needs: needs, at: OutputMapping.Origin(node)))
  }

  /// Translates the whole configuration.
  mutating func translate() {
    let elements = config["resources"]?.list ?? []
    log.report.found = elements.count
    let defaults = config["resource_defaults"]
    var order: [DltResource] = []
    for element in elements {
      let resource = DltResource(element, defaults: defaults)
      guard !resource.name.isEmpty, !Self.isObject(element) else {
        note(
          .customCode, "a resource\(resource.name.isEmpty ? "" : " '\(resource.label.prefix(80))'")",
          "a resource of the configuration, not an object of Python", element)
        continue
      }
      guard resources[resource.name] == nil else {
        note(.configuration, "a second resource '\(resource.label)'", "a name of its own", element)
        continue
      }
      resources[resource.name] = resource
      order.append(resource)
    }
    for resource in order { _ = flow(resource) }
    settings()
    log.report.secrets = secrets.names
  }

  /// Whether a text is the printed form of a Python object, as `str` returns it.
  static func isObject(_ node: SourceNode) -> Bool {
    guard let text = node.text else { return false }
    return text.hasPrefix("<") && text.hasSuffix(">") || text.contains(" object at 0x")
  }

  private mutating func settings() {
    for member in config.members ?? []
    where !["client", "resources", "resource_defaults", "type"].contains(member.name) {
      log.skip(member.name, reason: "it is not a setting of the source", at: OutputMapping.Origin(member.value))
    }
    for member in client?.members ?? [] where !["base_url", "headers", "auth", "paginator"].contains(member.name) {
      note(
        .configuration, "client.\(member.name)", "a plain setting instead of the printed form of a Python object",
        member.value)
    }
  }

  /// The flow of a resource; nil when the resource cannot be translated.
  private mutating func flow(_ resource: DltResource) -> FlowDraft? {
    if let known = drafts[resource.name] { return known }
    guard !refused.contains(resource.name), open.count < Self.maximumParents,
      open.insert(resource.name).inserted
    else { return nil }
    defer {
      open.remove(resource.name)
      if drafts[resource.name] == nil { refused.insert(resource.name) }
    }
    if resource["write_disposition"]?.text == "skip" {
      log.skip(
        "the resource '\(resource.label)'", reason: "its 'write_disposition' is 'skip'",
        at: OutputMapping.Origin(resource.node))
      return nil
    }
    guard flows.count < Self.maximumFlows else {
      note(
        .configuration, "the resource '\(resource.label)'", "a file of at most \(Self.maximumFlows) flows",
        resource.node
      )
      return nil
    }
    let draft = FlowDraft(names.next(FlowName.word(resource.label)), at: OutputMapping.Origin(resource.node))
    var translator = DltResourceTranslator(resource, client: client, log: log, secrets: secrets, draft: draft)
    var parent: FlowDraft?
    if let name = translator.parentName {
      guard let found = resources[name].flatMap({ flow($0) }) else {
        note(
          .partitions, "the resource '\(resource.label)'",
          "the flow of the resource '\(DltAddress.label(name))', whose records it uses",
          resource.node)
        return nil
      }
      parent = found
    }
    if let loss = translator.translate(parent: parent) {
      note(loss.kind, loss.what, loss.needs, resource.node)
      return nil
    }
    drafts[resource.name] = draft
    flows.append(draft)
    return draft
  }
}

/// The secrets of a configuration.
final class DltSecrets {
  private(set) var names: [String] = []
  private var known: [String: String] = [:]
  private var unique = UniqueNames()
  private let log: ImportLog

  init(_ log: ImportLog) { self.log = log }

  /// The secret that replaces a value; equal values have the same secret.
  func secret(_ value: String?, wish: String) -> FlowTemplate {
    let text = value ?? ""
    // `$NAME` and `${NAME}` name the secret themselves.
    var given = text.hasPrefix("$") ? String(text.dropFirst()) : ""
    if given.hasPrefix("{"), given.hasSuffix("}") { given = String(given.dropFirst().dropLast()) }
    let isName = !given.isEmpty && FlowName.word(given) == given
    if let name = known[text], !text.isEmpty { return template(name) }
    let word = isName ? given : FlowName.snake(wish).uppercased()
    if text.isEmpty || isName, names.contains(word) { return template(word) }
    let name = unique.next(word)
    names.append(name)
    if !text.isEmpty {
      known[text] = name
      if !isName { log.hide(text) }
    }
    return template(name)
  }

  private func template(_ name: String) -> FlowTemplate {
    FlowTemplate(expression: FlowExpression("secrets.\(name)", .string), canBeLeftOut: false)
  }
}
