/// The flow file as a whole. Settings that flows share are written once.
struct FlowFileDraft {
  var description: String?
  /// Comments on losses that concern the whole file.
  var notes: [String] = []
  /// The value of `vars`.
  var variables = OutputMapping()
  /// The names of the secrets.
  var secrets: [String] = []
  /// The final names of variables, by their preliminary names.
  var renames: [String: String] = [:]
  let flows: [FlowDraft]

  init(_ flows: [FlowDraft]) { self.flows = flows }

  /// The file as it is written.
  var mapping: OutputMapping {
    var file = OutputMapping()
    var seen: Set<String> = []
    for note in notes where seen.insert(note).inserted { file.items.append(.comment(note)) }
    file["reactor"] = .scalar("1")
    if let description { file["description"] = .text(OutputText.flat(description)) }
    if !variables.isEmpty { file["vars"] = .mapping(variables) }
    if !secrets.isEmpty { file["secrets"] = .list(secrets.map { .text($0) }) }
    let shared = Shared(flows)
    if !shared.http.isEmpty { file["http"] = .mapping(shared.http) }
    if !shared.defaults.isEmpty { file["defaults"] = .mapping(shared.defaults) }
    var list = OutputMapping()
    for flow in flows { list.append(flow.name, .mapping(Self.mapping(flow, shared)), from: flow.origin) }
    if !list.isEmpty { file["flows"] = .mapping(list) }
    var schemas = OutputMapping()
    for schema in shared.schemas { schemas.append(schema.name, schema.node, from: nil) }
    if !schemas.isEmpty { file["schemas"] = .mapping(schemas) }
    return renames.isEmpty ? file : file.replacing(renames)
  }

  private static let order = [
    "description", "tags", "for", "each", "resource", "field_groups", "job", "download", "auth", "decode", "records",
    "reshape",
    "change",
    "schema",
    "where",
    "pages",
    "cursor", "first_run",
    "errors", "retry", "expect", "persistence", "http",
  ]

  private static func mapping(_ flow: FlowDraft, _ shared: Shared) -> OutputMapping {
    var result = flow.keys
    for name in ["errors", "retry"] where shared.defaults[name] != nil { result[name] = nil }
    if !flow.tags.isEmpty { result["tags"] = .list(flow.tags.map { .text($0) }) }
    var resource = flow
    if !shared.headers.isEmpty {
      resource = FlowDraft(flow.name, at: flow.origin)
      (resource.method, resource.path, resource.params) = (flow.method, flow.path, flow.params)
      (resource.query, resource.body, resource.url) = (flow.query, flow.body, flow.url)
      resource.unescaped = flow.unescaped
      for item in flow.headers.items {
        if case .entry(let name, let value, _) = item, shared.headers[name] == value { continue }
        resource.headers.items.append(item)
      }
    }
    result.set("resource", resource.resource, from: flow.origin)
    let isElsewhere = flow.base != shared.base
    if let auth = flow.auth {
      if isElsewhere || auth != shared.auth { result.set("auth", auth, from: flow.authOrigin) }
    } else if shared.auth != nil {
      result["auth"] = .scalar("none")
    }
    if let schema = flow.schema {
      let node = schema.node
      if let name = shared.name(of: node) {
        result["schema"] = .text(name)
      } else {
        result.set("schema", node, from: flow.origin)
      }
    }
    let path = flow.file ?? .text("out/\(flow.name).jsonl")
    if let mode = flow.outputMode {
      result["persistence"] = .map([("path", path), ("mode", .scalar(mode))])
    } else {
      result["persistence"] = path
    }
    var http = OutputMapping()
    if isElsewhere { http["base_url"] = flow.base.node }
    if let rate = flow.rate, rate != shared.http["rate"] { http["rate"] = rate }
    if let timeout = flow.timeout, timeout != shared.http["timeout"] { http["timeout"] = timeout }
    if let redirects = flow.redirects { http["redirects"] = redirects }
    if !http.isEmpty { result["http"] = .mapping(http) }
    result.order(order)
    return result
  }

  /// The settings that several flows have in common, which are written once.
  private struct Shared {
    var base = FlowTemplate(literal: "")
    var auth: OutputNode?
    var headers = OutputMapping()
    var http = OutputMapping()
    var defaults = OutputMapping()
    var schemas: [(name: String, node: OutputNode)] = []
    private var names: [OutputNode: String] = [:]

    init(_ flows: [FlowDraft]) {
      guard let first = flows.first else { return }
      // Settings that depend on an item belong to its flow.
      let known = flows.filter { !$0.isGenerated }
      if let base = Self.most((known.isEmpty ? flows : known).map(\.base)), !known.isEmpty || !base.usesVariables {
        self.base = base
        http["base_url"] = base.node
      }
      let auths = known.filter { $0.base == base }.compactMap(\.auth)
      if let most = Self.most(auths), auths.count * 2 >= known.count { auth = most }
      if let auth { http.set("auth", auth, from: flows.first { $0.auth == auth }?.authOrigin) }
      if flows.count > 1 {
        for entry in first.headers.entries where Self.isShareable(entry.value) {
          if flows.allSatisfy({ $0.headers[entry.name] == entry.value }) { headers[entry.name] = entry.value }
        }
        for name in ["errors", "retry"] {
          guard let value = first.keys[name], flows.allSatisfy({ $0.keys[name] == value }), Self.isShareable(value)
          else { continue }
          defaults[name] = value
        }
      }
      if !headers.isEmpty { http["headers"] = .mapping(headers) }
      if let rate = first.rate, flows.allSatisfy({ $0.rate == rate }) { http["rate"] = rate }
      if let timeout = first.timeout, flows.allSatisfy({ $0.timeout == timeout }) { http["timeout"] = timeout }
      share(flows)
    }

    func name(of schema: OutputNode) -> String? { names[schema] }

    private mutating func share(_ flows: [FlowDraft]) {
      var users: [OutputNode: [String]] = [:]
      var order: [OutputNode] = []
      for flow in flows {
        guard let node = flow.schema?.node else { continue }
        if users[node] == nil { order.append(node) }
        users[node, default: []].append(flow.name)
      }
      for node in order {
        guard let owners = users[node], owners.count > 1 else { continue }
        names[node] = owners[0]
        schemas.append((owners[0], node))
      }
    }

    /// Whether a value has the same meaning in the settings of the whole file as in a flow.
    private static func isShareable(_ value: OutputNode) -> Bool {
      !value.mentions("{{")
        || !["cursor.", "page.", "parent", "optional(", "batch", "field_group"].contains { value.mentions($0) }
          && (value.mentions("vars.") || value.mentions("secrets.") || value.mentions("response"))
    }

    /// The value that occurs most often; if several do, the first of them.
    private static func most<Value: Hashable>(_ values: [Value]) -> Value? {
      var counts: [Value: Int] = [:]
      for value in values { counts[value, default: 0] += 1 }
      let highest = counts.values.max()
      return values.first { counts[$0] == highest }
    }
  }
}
