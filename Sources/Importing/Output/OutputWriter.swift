/// Writes a flow file, and records the byte range of each entry.
struct OutputWriter {
  /// A step from a mapping or list to a value in it.
  enum Step: Hashable {
    case key(String)
    case index(Int)
  }

  /// The byte range of an entry, and the path that leads to the entry.
  struct Span {
    let start: Int
    var end: Int
    let path: [Step]
  }

  private static let width = 100
  /// Mappings that are always written with one line for each entry.
  private static let blocks: Set<String> = ["vars", "flows", "schemas", "fields", "http", "defaults"]

  private(set) var text = ""
  private(set) var spans: [Span] = []
  private var path: [Step] = []

  /// Returns the text of a whole file.
  static func write(_ file: OutputMapping) -> OutputWriter {
    var writer = OutputWriter()
    writer.block(file, indent: 0)
    return writer
  }

  private var offset: Int { text.utf8.count }

  private mutating func block(_ mapping: OutputMapping, indent: Int) {
    let space = String(repeating: " ", count: indent)
    for item in mapping.items {
      switch item {
      case .comment(let comment): text += "\(space)# \(OutputText.flat(comment))\n"
      case .entry(let name, let value, _):
        if indent == 0, Self.blocks.contains(name), !text.isEmpty { text += "\n" }
        open(.key(name)) { writer in
          writer.text += space + OutputText.key(name) + ":"
          writer.value(value, name: name, indent: indent)
        }
      }
    }
  }

  private mutating func open(_ step: Step, _ write: (inout OutputWriter) -> Void) {
    path.append(step)
    let index = spans.count
    spans.append(Span(start: offset, end: offset, path: path))
    write(&self)
    spans[index].end = offset
    path.removeLast()
  }

  /// Writes a value after its name.
  private mutating func value(_ value: OutputNode, name: String, indent: Int) {
    let isFlow = path.count == 2 && path.first == .key("flows")
    let isSchema = path.count == 2 && path.first == .key("schemas")
    if !(Self.blocks.contains(name) && value.mapping != nil), !isFlow, !isSchema {
      let column = indent + name.utf8.count + 2
      if let room = Self.inlineWidth(value), column + room <= Self.width || value.scalar != nil {
        text += " "
        inline(value)
        text += "\n"
        return
      }
    }
    switch value {
    case .scalar(let scalar): text += " \(scalar)\n"
    case .mapping(let mapping):
      if mapping.entries.isEmpty { text += " {}" }
      text += "\n"
      block(mapping, indent: indent + 2)
    case .list(let elements):
      text += "\n"
      list(elements, indent: indent + 2)
    }
  }

  private mutating func list(_ elements: [OutputNode], indent: Int) {
    let space = String(repeating: " ", count: indent)
    for (index, element) in elements.enumerated() {
      open(.index(index)) { writer in
        if let room = Self.inlineWidth(element), indent + 2 + room <= Self.width || element.scalar != nil {
          writer.text += space + "- "
          writer.inline(element)
          writer.text += "\n"
        } else if case .mapping(let mapping) = element {
          writer.text += space + "-\n"
          writer.block(mapping, indent: indent + 2)
        } else if case .list(let inner) = element {
          writer.text += space + "-\n"
          writer.list(inner, indent: indent + 2)
        }
      }
    }
  }

  private mutating func inline(_ value: OutputNode) {
    switch value {
    case .scalar(let scalar): text += scalar
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        open(.index(index)) { $0.inlineInBrackets(element) }
      }
      text += "]"
    case .mapping(let mapping):
      let entries = mapping.entries
      guard !entries.isEmpty else {
        text += "{}"
        return
      }
      text += "{ "
      for (index, entry) in entries.enumerated() {
        if index > 0 { text += ", " }
        open(.key(entry.name)) { writer in
          writer.text += OutputText.key(entry.name) + ": "
          writer.inlineInBrackets(entry.value)
        }
      }
      text += " }"
    }
  }

  /// Writes a value inside of brackets, where more characters need quotes.
  private mutating func inlineInBrackets(_ value: OutputNode) {
    if case .scalar(let scalar) = value, !scalar.hasPrefix("\""), !scalar.hasPrefix("'"),
      // A question mark at the end, such as that of an optional type, has no meaning.
      (scalar.hasSuffix("?") ? scalar.dropLast() : scalar[...]).utf8.contains(where: { "?*:,[]{}".utf8.contains($0) }),
      !scalar.hasPrefix("http") || scalar.utf8.contains(UInt8(ascii: " "))
    {
      text += OutputText.quoted(scalar)
    } else {
      inline(value)
    }
  }

  /// The width of a value on one line; nil if it needs several lines.
  private static func inlineWidth(_ value: OutputNode, depth: Int = 0) -> Int? {
    switch value {
    case .scalar(let scalar): return scalar.utf8.count
    case .list(let elements):
      var width = 2
      for element in elements {
        guard let inner = inlineWidth(element, depth: depth + 1) else { return nil }
        width += inner + 2
        if width > Self.width { return nil }
      }
      return width
    case .mapping(let mapping):
      guard depth < 3, mapping.items.count <= 6 else { return nil }
      var width = 4
      for item in mapping.items {
        guard case .entry(let name, let value, _) = item, !blocks.contains(name) || depth > 0,
          let inner = inlineWidth(value, depth: depth + 1)
        else { return nil }
        width += name.utf8.count + inner + 4
        if width > Self.width { return nil }
      }
      return width
    }
  }
}
