internal import SourceDiagnostics
internal import YAMLSyntax

/// Reads a manifest and follows its references.
///
/// References are resolved only in the parts that are requested. The result of each reference is stored and used again,
/// and its size is bounded, so that references to references cannot grow without end.
final class ManifestReader {
  private static let maximumSize = 2_000_000
  private static let maximumDepth = 120

  private let root: YAMLNode
  private let tops: [String: YAMLNode]
  /// The results by reference; nil for a reference that is being resolved, to find references that contain themselves.
  private var resolved: [String: SourceNode?] = [:]
  /// The members of large mappings by name, so that a look-up does not search the mapping.
  private var indices: [Int: [String: YAMLNode]] = [:]
  private var depth = 0
  private var total = 0
  /// Problems with references: what is wrong, and where.
  private(set) var problems: [(message: String, path: String, line: Int)] = []

  init(_ root: YAMLNode) {
    self.root = root
    var tops: [String: YAMLNode] = [:]
    if case .mapping(let mapping) = root.content {
      for entry in mapping.entries { tops[entry.name] = entry.value }
    }
    self.tops = tops
  }

  /// The names at the top of the manifest, in order.
  var names: [String] {
    guard case .mapping(let mapping) = root.content else { return [] }
    return mapping.entries.map(\.name)
  }

  /// Returns the value of a key at the top of the manifest, with its references resolved.
  func top(_ name: String) -> SourceNode? { tops[name].map { resolve($0, path: name) } }

  /// The whole document, with its references resolved.
  var whole: SourceNode { resolve(root, path: "") }

  private func problem(_ message: String, _ node: YAMLNode, _ path: String) -> SourceNode {
    problems.append((message, path, node.range.start.line))
    return SourceNode(.null, line: node.range.start.line, path: path)
  }

  private func resolve(_ node: YAMLNode, path: String) -> SourceNode {
    let line = node.range.start.line
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { return problem("the manifest is nested too deeply", node, path) }
    switch node.content {
    case .scalar(let scalar):
      if scalar.style == .plain || scalar.text.hasPrefix("#/") || scalar.text.hasPrefix("*ref("),
        let target = Self.target(scalar.text)
      {
        return follow(target, node, path)
      }
      return SourceNode(SourceNode.Content(scalar), line: line, path: path)
    case .sequence(let nodes):
      var elements: [SourceNode] = []
      elements.reserveCapacity(nodes.count)
      for (index, node) in nodes.enumerated() { elements.append(resolve(node, path: "\(path)[\(index)]")) }
      return checked(SourceNode(.list(elements), line: line, path: path), node)
    case .mapping(let mapping): return checked(resolve(mapping, node, path), node)
    }
  }

  private func resolve(_ mapping: YAMLMapping, _ node: YAMLNode, _ path: String) -> SourceNode {
    let line = node.range.start.line
    var members: [SourceNode.Member] = []
    var base: SourceNode?
    for entry in mapping.entries {
      let name = entry.name
      if name == "$ref", case .scalar(let scalar) = entry.value.content {
        guard let target = Self.target(scalar.text) else {
          return problem("'$ref: \(scalar.text)' is not a reference into this file", entry.value, path)
        }
        base = follow(target, entry.value, path)
      } else {
        members.append(
          SourceNode.Member(name: name, value: resolve(entry.value, path: path.isEmpty ? name : "\(path).\(name)")))
      }
    }
    guard let base else { return SourceNode(.mapping(members), line: line, path: path) }
    guard let inherited = base.members else { return base }
    let own = Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
    var merged = inherited.map { SourceNode.Member(name: $0.name, value: own[$0.name] ?? $0.value) }
    let known = Set(inherited.map(\.name))
    merged += members.filter { !known.contains($0.name) }
    return SourceNode(.mapping(merged), line: line, path: path)
  }

  /// Returns the value; if references make it too large, records a problem and returns null.
  private func checked(_ value: SourceNode, _ node: YAMLNode) -> SourceNode {
    value.size <= Self.maximumSize ? value : problem("a value that its references make too large", node, value.path)
  }

  private func follow(_ target: String, _ node: YAMLNode, _ path: String) -> SourceNode {
    if let known = resolved[target] {
      return known ?? problem("'\(target)' contains itself", node, path)
    }
    guard let found = lookUp(target) else { return problem("'\(target)' does not exist", node, path) }
    resolved[target] = .some(nil)
    let value = resolve(found, path: target.dropFirst(2).split(separator: "/").joined(separator: "."))
    resolved[target] = .some(value)
    return value
  }

  /// Returns the value that a reference names. Names may contain slashes.
  private func lookUp(_ target: String) -> YAMLNode? {
    var node = root
    var rest = target.dropFirst(2)
    while !rest.isEmpty {
      if let member = member(of: node, String(rest)) { return member }
      let head = rest.prefix { $0 != "/" }
      rest = rest.dropFirst(head.count).dropFirst()
      guard let next = member(of: node, String(head)) else { return nil }
      node = next
    }
    return node
  }

  private func member(of node: YAMLNode, _ name: String) -> YAMLNode? {
    switch node.content {
    case .scalar: return nil
    case .sequence(let nodes): return Int(name).flatMap { nodes.indices.contains($0) ? nodes[$0] : nil }
    case .mapping(let mapping):
      guard mapping.entries.count > 8 else { return mapping[name] }
      let key = node.range.offsets.lowerBound
      if let index = indices[key] { return index[name] }
      let index = Dictionary(mapping.entries.map { ($0.name, $0.value) }) { first, _ in first }
      indices[key] = index
      return index[name]
    }
  }

  private static func target(_ text: String) -> String? {
    if text.hasPrefix("#/") { return text }
    guard text.hasPrefix("*ref("), text.hasSuffix(")") else { return nil }
    return "#/" + text.dropFirst(5).dropLast().split(separator: ".").joined(separator: "/")
  }
}
