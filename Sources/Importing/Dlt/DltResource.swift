/// A resource of the configuration, with the settings of `resource_defaults` where it has none of its own.
struct DltResource {
  let name: String
  /// The name of the resource in messages. If the name is a path, it is shown without server and query.
  var label: String { DltAddress.label(name) }
  let node: SourceNode
  private let own: SourceNode?
  private let defaults: SourceNode?

  init(_ node: SourceNode, defaults: SourceNode?) {
    self.node = node
    self.defaults = defaults
    // A text is the name and the path.
    own = node.members == nil ? nil : node
    let endpoint = node["endpoint"]
    name = node.scalar ?? node["name"]?.scalar ?? endpoint?.text ?? endpoint?["path"]?.scalar ?? ""
  }

  /// A setting of the resource.
  subscript(_ key: String) -> SourceNode? { own?[key] ?? defaults?[key] }

  /// The path of the endpoint.
  var path: SourceNode {
    if let text = own?["endpoint"], text.text != nil { return text }
    return own?["endpoint"]?["path"] ?? defaults?["endpoint"]?["path"] ?? node.with(name)
  }

  /// A setting of the endpoint; parameters and the members of a JSON body are merged with those of the defaults.
  func endpoint(_ key: String) -> SourceNode? {
    let (own, outer) = (self.own?["endpoint"]?[key], defaults?["endpoint"]?[key])
    guard ["params", "json"].contains(key), let mine = own?.members, let base = outer?.members else {
      return own ?? outer
    }
    let names = Set(mine.map(\.name))
    return SourceNode(
      .mapping(base.filter { !names.contains($0.name) } + mine), line: own?.line ?? 0, path: own?.path ?? "")
  }

  /// The settings of the endpoint, including defaults, each once.
  var endpointKeys: [SourceNode.Member] {
    let mine = own?["endpoint"]?.members ?? []
    let names = Set(mine.map(\.name))
    return mine + (defaults?["endpoint"]?.members ?? []).filter { !names.contains($0.name) }
  }

  /// The settings of the resource, including defaults, each once.
  var keys: [SourceNode.Member] {
    let mine = own?.members ?? []
    let names = Set(mine.map(\.name))
    return mine + (defaults?.members ?? []).filter { !names.contains($0.name) }
  }

  /// The names in a setting that is one name or a list of them.
  func names(_ key: String) -> [String] { self[key]?.texts ?? [] }
}
