/// A component of a manifest, with the parameters that it inherits.
struct Component {
  let node: SourceNode
  /// The component's kind, such as `HttpRequester`; empty if the manifest does not name it and there is no default.
  let type: String
  /// The values of `$parameters`, those of outer components included.
  let parameters: [String: SourceNode]
  /// The name of the parameter that does not become a field of the component, because the component itself is the value
  /// of a key with this name; nil for none.
  private let excluded: String?

  init(
    _ node: SourceNode, default type: String = "", parameters: [String: SourceNode] = [:], excluded: String? = nil
  ) {
    self.node = node
    self.type = node["type"]?.text ?? (node["class_name"] != nil && !type.hasPrefix("Custom") ? "Custom" + type : type)
    var all = parameters
    for key in ["$parameters", "$options"] {
      for member in node[key]?.members ?? [] { all[member.name] = member.value }
    }
    self.parameters = all
    self.excluded = excluded
  }

  /// Whether the component is written in code that is not in the manifest.
  var isCustom: Bool { type.hasPrefix("Custom") || node["class_name"] != nil }

  /// The class of a custom component.
  var className: String? { node["class_name"]?.scalar }

  /// The value of a field. A field that is absent or empty has the value of the parameter with the same name.
  subscript(_ name: String) -> SourceNode? {
    let own = node[name]
    if let own, !own.isFalsy { return own }
    // Parameters are fields of components only.
    if !type.isEmpty, name != "type", let parameter = parameters[name], excluded != name { return parameter }
    return own.flatMap { $0.isNull ? nil : $0 }
  }

  /// The component in a field.
  func child(_ name: String, default type: String = "") -> Component? {
    guard let node = self[name], node.members != nil else { return nil }
    return make(node, name, type)
  }

  /// The components in a field: a list of them, or a single one.
  func children(_ name: String, default type: String = "") -> [Component] {
    guard let node = self[name] else { return [] }
    if node.members != nil { return [make(node, name, type)] }
    return (node.list ?? []).filter { $0.members != nil }.map { make($0, name, type) }
  }

  /// Returns another node as a component with the parameters of this component.
  func sibling(_ node: SourceNode, default type: String = "") -> Component {
    Component(node, default: type, parameters: parameters)
  }

  private func make(_ node: SourceNode, _ name: String, _ type: String) -> Component {
    Component(node, default: type, parameters: parameters, excluded: parameters[name] == nil ? nil : name)
  }

  /// The names of the fields that the manifest contains for this component; parameters do not count.
  var fieldNames: [String] { (node.members ?? []).map(\.name) }
}
