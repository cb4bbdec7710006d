internal import ByteCodings

/// Variables and secrets that the manifest declares.
extension Variables {
  /// Declares the properties of a configuration's schema.
  func declare(_ schema: SourceNode, under keys: [String] = [], isRequired: Bool = true) {
    guard keys.count < 8, properties.count < 2000 else { return }
    let required = Set(schema["required"]?.texts ?? [])
    for member in schema["properties"]?.members ?? [] {
      let isNeeded = isRequired && required.contains(member.name)
      let (path, node) = (keys + [member.name], member.value)
      let kinds = (node["type"]?.texts ?? []).filter { $0 != "null" }
      let hasMembers = node["properties"]?.members.map { !$0.isEmpty } ?? false
      if hasMembers || node["oneOf"] != nil || node["anyOf"] != nil {
        declare(node, under: path, isRequired: isNeeded)
        for choice in (node["oneOf"]?.list ?? []) + (node["anyOf"]?.list ?? []) where choice["properties"] != nil {
          declare(choice, under: path, isRequired: false)
        }
        if hasMembers || indices.keys.contains(where: { $0.count > path.count && Array($0.prefix(path.count)) == path })
        {
          continue
        }
      }
      if kinds.first == "object" {
        structured.append((path, node))
        continue
      }
      if kinds.first == "array" {
        let items = node["items"]?["type"]?.texts ?? ["string"]
        guard !items.contains("object"), !items.contains("array") else {
          structured.append((path, node))
          continue
        }
      }
      add(path, node, kinds.first, isRequired: isNeeded)
    }
  }

  private func add(_ path: [String], _ node: SourceNode, _ kind: String?, isRequired: Bool) {
    guard indices[path] == nil else { return declareAgain(path, as: node) }
    let isSecret = node["airbyte_secret"]?.bool ?? false
    var fallback = node["default"] ?? node["const"]
    if fallback == nil, let values = node["enum"]?.list, values.count == 1, isDiscriminator(node) {
      fallback = values[0]
    }
    var type = "string"
    switch kind {
    case "integer": type = "integer"
    case "number": type = "number"
    case "boolean": type = "boolean"
    case "array": type = "list"
    default:
      switch node["format"]?.text {
      case "date": type = "date"
      case "date-time": type = "timestamp"
      default: type = Self.type(ofPattern: node["pattern"]?.text) ?? "string"
      }
    }
    let content = fallback.flatMap { Self.value($0, type) }
    if fallback != nil, content == nil { type = fallback?.list == nil ? "string" : "list" }
    let title = node["title"]?.text ?? node["description"]?.text
    append(
      Property(
        keys: path, name: "", type: type, default: content ?? fallback.flatMap { Self.value($0, type) },
        description: title, isSecret: isSecret, isRequired: isRequired, isDeclared: true))
    constrain(path, by: node)
  }

  private func isDiscriminator(_ node: SourceNode) -> Bool { (node["enum"]?.list?.count ?? 0) == 1 }

  /// The type for a pattern: `timestamp` for times that end with `Z`, `date` for days, nil for other patterns.
  static func type(ofPattern pattern: String?) -> String? {
    guard let pattern, pattern.contains("{4}-[0-9]{2}-[0-9]{2}") || pattern.contains("\\d{4}-\\d{2}-\\d{2}") else {
      return nil
    }
    if pattern.contains("|") || pattern.contains(")?") { return nil }
    if pattern.contains("T") { return pattern.contains("Z") ? "timestamp" : nil }
    return "date"
  }

  /// The default value of a variable with this type; nil if the value does not fit the type.
  static func value(_ node: SourceNode, _ type: String) -> SourceNode.Content? {
    switch (type, node.content) {
    case ("integer", .number(let text)), ("integer", .text(let text)): Int(text) == nil ? nil : .number(text)
    case ("number", .number), ("boolean", .bool): node.content
    case ("boolean", .text(let text)): text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case ("list", .list): node.texts.map { $0.allSatisfy { !$0.contains(",") } } ?? false ? node.content : nil
    case ("date", .text(let text)):
      text.utf8.count == 10 && text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == 0x2D } ? node.content : nil
    case ("timestamp", .text(let text)): text.utf8.count >= 20 && text.hasSuffix("Z") ? node.content : nil
    case ("string", _): node.scalar.map { .text($0) }
    default: nil
    }
  }
}
