/// A value of the flow file that is written.
indirect enum OutputNode {
  /// A scalar in YAML's notation.
  case scalar(String)
  case list([OutputNode])
  case mapping(OutputMapping)
}

/// A mapping of the flow file, with comments between its entries.
struct OutputMapping {
  /// An entry, or a comment on lines of its own.
  enum Item {
    case entry(name: String, value: OutputNode, origin: Origin?)
    case comment(String)
  }

  /// Where an entry comes from in the source.
  struct Origin: Hashable {
    let path: String
    let line: Int

    init(path: String, line: Int) {
      self.path = path
      self.line = line
    }

    init(_ node: SourceNode) { self.init(path: node.path, line: node.line) }
    init(_ component: Component) { self.init(component.node) }
  }

  var items: [Item] = []

  init() {}

  init(_ entries: [(String, OutputNode)]) {
    items = entries.map { .entry(name: $0.0, value: $0.1, origin: nil) }
  }

  var isEmpty: Bool { items.isEmpty }

  /// The names and values, without comments.
  var entries: [(name: String, value: OutputNode)] {
    items.compactMap { if case .entry(let name, let value, _) = $0 { (name, value) } else { nil } }
  }

  /// The value of an entry; setting it replaces or appends the entry, nil removes it.
  subscript(_ name: String) -> OutputNode? {
    get { entries.first { $0.name == name }?.value }
    set {
      let index = items.firstIndex { if case .entry(name, _, _) = $0 { true } else { false } }
      switch (index, newValue) {
      case (let index?, let value?):
        guard case .entry(_, _, let origin) = items[index] else { return }
        items[index] = .entry(name: name, value: value, origin: origin)
      case (let index?, nil): items.remove(at: index)
      case (nil, let value?): items.append(.entry(name: name, value: value, origin: nil))
      case (nil, nil): break
      }
    }
  }

  /// Sets an entry and its origin: replaces the entry of this name, or appends a new one.
  mutating func set(_ name: String, _ value: OutputNode, from origin: Origin?) {
    self[name] = nil
    items.append(.entry(name: name, value: value, origin: origin))
  }

  /// Appends an entry whose name no other entry has.
  mutating func append(_ name: String, _ value: OutputNode, from origin: Origin?) {
    items.append(.entry(name: name, value: value, origin: origin))
  }

  /// Appends a comment, once.
  mutating func note(_ text: String) {
    let isKnown = items.contains { if case .comment(text) = $0 { true } else { false } }
    if !isKnown { items.append(.comment(text)) }
  }

  /// A copy of the mapping in which these texts are replaced inside names and scalars; comments stay unchanged.
  func replacing(_ texts: [String: String]) -> OutputMapping {
    var result = self
    result.items = items.map { item in
      guard case .entry(let name, let value, let origin) = item else { return item }
      return .entry(name: texts[name] ?? name, value: value.replacing(texts), origin: origin)
    }
    return result
  }

  /// Moves entries with these names to the front, in this order; comments stay after the entry that precedes them.
  mutating func order(_ names: [String]) {
    var groups: [(name: String, items: [Item])] = [("", [])]
    for item in items {
      if case .entry(let name, _, _) = item {
        groups.append((name, [item]))
      } else {
        groups[groups.count - 1].items.append(item)
      }
    }
    let rank = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let sorted = groups.dropFirst().enumerated().sorted {
      (rank[$0.element.name] ?? .max, $0.offset) < (rank[$1.element.name] ?? .max, $1.offset)
    }
    items = groups[0].items + sorted.flatMap(\.element.items)
  }
}

extension OutputNode: Hashable {
  /// Compares names and values; comments and origins do not matter.
  static func == (left: OutputNode, right: OutputNode) -> Bool {
    switch (left, right) {
    case (.scalar(let left), .scalar(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.mapping(let left), .mapping(let right)): left == right
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .scalar(let text): hasher.combine(text)
    case .list(let elements): hasher.combine(elements)
    case .mapping(let mapping): hasher.combine(mapping)
    }
  }

  /// A mapping of names and values.
  static func map(_ entries: [(String, OutputNode)]) -> OutputNode { .mapping(OutputMapping(entries)) }

  /// A literal text.
  static func text(_ text: String) -> OutputNode { .scalar(OutputText.value(text)) }

  /// A copy of the value in which these texts are replaced inside its scalars.
  func replacing(_ texts: [String: String]) -> OutputNode {
    switch self {
    case .scalar(let scalar): .scalar(texts.reduce(scalar) { $0.replacing($1.key, with: $1.value) })
    case .list(let elements): .list(elements.map { $0.replacing(texts) })
    case .mapping(let mapping): .mapping(mapping.replacing(texts))
    }
  }

  static func integer(_ value: Int) -> OutputNode { .scalar(String(value)) }

  var mapping: OutputMapping? { if case .mapping(let mapping) = self { mapping } else { nil } }
  var scalar: String? { if case .scalar(let text) = self { text } else { nil } }
}

extension OutputMapping: Hashable {
  static func == (left: OutputMapping, right: OutputMapping) -> Bool {
    let (left, right) = (left.entries, right.entries)
    return left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.value == $1.value }
  }

  func hash(into hasher: inout Hasher) {
    for entry in entries {
      hasher.combine(entry.name)
      hasher.combine(entry.value)
    }
  }
}
