internal import ByteCodings

/// The variables and secrets of the flow file: the configuration that the manifest declares.
final class Variables {
  /// One value of the configuration.
  struct Property {
    let keys: [String]
    var name: String
    var type: String
    var `default`: SourceNode.Content?
    var description: String?
    var isSecret: Bool
    var isRequired: Bool
    var isDeclared: Bool
    var isUsed = false
  }

  private var properties: [Property] = []
  private var indices: [[String]: Int] = [:]
  private var names: Set<String> = []
  /// Names of variables that items give. Flows of different items may have the same.
  private var itemNames: Set<String> = []
  /// The values of the configuration that flows use without the manifest declaring them.
  private(set) var undeclared: [String] = []
  /// Lists of objects and the like, which a variable holds as JSON.
  private(set) var structured: [(keys: [String], node: SourceNode)] = []

  init() {}

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
    guard indices[path] == nil else { return }
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
  }

  private func isDiscriminator(_ node: SourceNode) -> Bool { (node["enum"]?.list?.count ?? 0) == 1 }

  /// A pattern of times that end with `Z` means an instant, one of days a date.
  private static func type(ofPattern pattern: String?) -> String? {
    guard let pattern, pattern.contains("{4}-[0-9]{2}-[0-9]{2}") || pattern.contains("\\d{4}-\\d{2}-\\d{2}") else {
      return nil
    }
    if pattern.contains("|") || pattern.contains(")?") { return nil }
    if pattern.contains("T") { return pattern.contains("Z") ? "timestamp" : nil }
    return "date"
  }

  /// The default of a type; nil if it does not fit.
  private static func value(_ node: SourceNode, _ type: String) -> SourceNode.Content? {
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

  private func append(_ property: Property) {
    var property = property
    let last = Self.word(property.keys.joined(separator: "_"), isSecret: property.isSecret)
    // The last part alone is the shorter name, when nothing else has it.
    property.name = last
    var number = 2
    while !names.insert(property.name).inserted {
      property.name = "\(last)_\(number)"
      number += 1
    }
    indices[property.keys] = properties.count
    properties.append(property)
  }

  /// A valid name: words of ASCII letters and digits, joined by underscores.
  private static func word(_ text: String, isSecret: Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
        bytes.append(isSecret ? (byte &- 0x61 < 26 ? byte & 0xDF : byte) : ASCII.lowercased(byte))
      } else if bytes.last != 0x5F {
        bytes.append(0x5F)
      }
    }
    while bytes.last == 0x5F { bytes.removeLast() }
    while bytes.first == 0x5F { bytes.removeFirst() }
    if bytes.isEmpty { bytes = Array("value".utf8) }
    if ASCII.isDigit(bytes[0]) { bytes.insert(0x5F, at: 0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func index(_ keys: [String], default fallback: SourceNode.Content?) throws(JinjaError) -> Int {
    guard !keys.isEmpty else { throw JinjaError("the whole configuration has no counterpart") }
    if let index = indices[keys] { return index }
    let isOuter = indices.keys.contains { $0.count > keys.count && Array($0.prefix(keys.count)) == keys }
    if isOuter { throw JinjaError("'config.\(keys.joined(separator: "."))' is an object, which no variable can hold") }
    if indices[Array(keys.dropLast())] != nil, keys.count > 1 {
      throw JinjaError("'config.\(keys.joined(separator: "."))' is a member of a value that is no object")
    }
    guard properties.count < 3000 else { throw JinjaError("the configuration has too many values") }
    undeclared.append(keys.joined(separator: "."))
    var type = "string"
    switch fallback {
    case .number(let text)?: type = text.contains(".") ? "number" : "integer"
    case .bool?: type = "boolean"
    default: break
    }
    append(
      Property(
        keys: keys, name: "", type: type, default: nil, description: nil, isSecret: false, isRequired: false,
        isDeclared: false))
    return properties.count - 1
  }

  /// The name of a variable that may have no value, for `optional(…)`; nil for other values.
  func optional(_ keys: [String]) -> String? {
    guard let index = try? index(keys, default: nil) else { return nil }
    let property = properties[index]
    guard !property.isSecret, !property.isRequired, property.default == nil else { return nil }
    properties[index].isUsed = true
    return "vars.\(property.name)"
  }

  /// The expression for a value of the configuration.
  func look(up keys: [String], default fallback: SourceNode.Content?) throws(JinjaError) -> FlowExpression {
    if let known = structured.first(where: { keys.starts(with: $0.keys) }) {
      return keys.dropFirst(known.keys.count).reduce(structure(known.keys, known.node)) { $0.member($1) }
    }
    let index = try index(keys, default: fallback)
    properties[index].isUsed = true
    if properties[index].isSecret { return FlowExpression("secrets.\(properties[index].name)", .string) }
    if properties[index].default == nil {
      if let fallback {
        let node = SourceNode(fallback, line: 0, path: "")
        if let value = Self.value(node, properties[index].type) {
          properties[index].default = value
        } else if case .text(let text) = fallback, text.isEmpty {
          empty(index)
        }
      } else if !properties[index].isRequired {
        empty(index)
      }
    }
    let property = properties[index]
    let isEmpty = if case .text("")? = property.default { true } else { false }
    let kind: FlowExpression.Kind =
      switch property.type {
      case "integer": .integer
      case "number": .number
      case "boolean": .bool
      case "timestamp": .timestamp
      case "list": .list
      default: .string
      }
    return FlowExpression("vars.\(property.name)", kind, mayBeEmpty: isEmpty || kind == .list)
  }

  /// A name for a variable that an item gives: no variable of the file has it, and no other one of the item.
  func itemName(_ wish: String, except taken: Set<String>) -> String {
    let word = Self.word(wish, isSecret: false)
    var (name, number) = (word, 2)
    while taken.contains(name) || names.contains(name) && !itemNames.contains(name) {
      name = "\(word)_\(number)"
      number += 1
    }
    names.insert(name)
    itemNames.insert(name)
    return name
  }

  /// Whether a value of the configuration is declared as a list of texts.
  func isList(_ keys: [String]) -> Bool { indices[keys].map { properties[$0].type == "list" } ?? false }

  /// Whether the manifest declares a value of the configuration; of a manifest that declares none, every one counts.
  func isDeclared(_ keys: [String]) -> Bool {
    let declared = properties.filter(\.isDeclared)
    return declared.isEmpty || declared.contains { $0.keys == keys }
  }

  /// The value of a variable that holds a list of objects, or an object, as JSON.
  private func structure(_ keys: [String], _ node: SourceNode) -> FlowExpression {
    if indices[keys] == nil {
      let title = node["title"]?.text ?? node["description"]?.text
      append(
        Property(
          keys: keys, name: "", type: "string", default: nil, description: title.map { "\($0), as JSON" } ?? "As JSON",
          isSecret: false, isRequired: true, isDeclared: true))
    }
    guard let index = indices[keys] else { return FlowExpression("null", .null) }
    properties[index].isUsed = true
    return .lookUp("json(vars.\(properties[index].name))")
  }

  /// The value of an undeclared variable of which an element is used: a list, as JSON. Nil for other values.
  func list(_ value: FlowExpression) -> FlowExpression? {
    guard let index = properties.firstIndex(where: { "vars.\($0.name)" == value.text }), !properties[index].isDeclared
    else { return nil }
    properties[index].type = "string"
    properties[index].default = nil
    properties[index].description = "As JSON"
    return .lookUp("json(\(value.text))")
  }

  /// Gives a variable a value that counts as none, so that expressions can use it.
  private func empty(_ index: Int) {
    switch properties[index].type {
    case "boolean": properties[index].default = .bool(false)
    case "integer", "number": properties[index].default = .number("0")
    case "list": properties[index].default = .list([])
    default:
      properties[index].type = "string"
      properties[index].default = .text("")
    }
  }

  /// Declares a credential that the manifest's configuration does not mention.
  func declareSecret(_ keys: [String]) {
    guard !keys.isEmpty, indices[keys] == nil, properties.count < 3000 else { return }
    undeclared.append(keys.joined(separator: "."))
    append(
      Property(
        keys: keys, name: "", type: "string", default: nil, description: nil, isSecret: true, isRequired: true,
        isDeclared: false))
  }

  /// Makes a value of the configuration one that must be given.
  func require(_ keys: [String]) {
    guard let index = try? index(keys, default: nil) else { return }
    if case .text("")? = properties[index].default { return }
    properties[index].isRequired = true
  }

  /// Removes the default of a variable unless it is one of these texts.
  func restrict(_ keys: [String], to texts: [String]) {
    guard let index = indices[keys], let fallback = properties[index].default else { return }
    let text = SourceNode(fallback, line: 0, path: "").scalar ?? ""
    if !texts.contains(text) { properties[index].default = nil }
  }

  /// Whether a value of the configuration is declared as an object.
  func isObject(_ keys: [String]) -> Bool {
    indices.keys.contains { $0.count > keys.count && $0.starts(with: keys) }
  }

  /// Sets the type of a variable that holds an instant or a day.
  func setTime(_ keys: [String], _ type: String) {
    guard let index = indices[keys], !properties[index].isUsed, properties[index].type == "string",
      properties[index].default == nil
    else { return }
    properties[index].type = type
  }

  /// The secrets' names, in order.
  var secretNames: [String] { properties.filter(\.isSecret).map(\.name) }

  /// The `vars` of the flow file.
  var mapping: OutputMapping {
    var result = OutputMapping()
    for property in properties where !property.isSecret {
      var value = OutputMapping()
      if property.type != "string" { value["type"] = .scalar(property.type) }
      switch property.default {
      case .text(let text)?: value["default"] = .text(text)
      case .number(let text)?: value["default"] = property.type == "string" ? .text(text) : .scalar(text)
      case .bool(let flag)?: value["default"] = property.type == "string" ? .text("\(flag)") : .scalar("\(flag)")
      case .list(let elements)?:
        value["default"] = elements.isEmpty ? .text("") : .list(elements.compactMap(\.scalar).map { .text($0) })
      default: break
      }
      if let description = property.description, !description.isEmpty {
        value["description"] = .text(String(OutputText.flat(description).prefix(120)))
      }
      let isShort = property.type == "string" && property.description == nil
      if isShort, let fallback = value["default"] {
        result.set(property.name, fallback, from: nil)
      } else {
        if value.isEmpty { value["type"] = .scalar("string") }
        result.set(property.name, .mapping(value), from: nil)
      }
    }
    return result
  }
}
