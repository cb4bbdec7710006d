internal import ByteCodings

/// The variables and secrets of the flow file: the configuration that the manifest declares.
final class Variables {
  /// One value of the configuration.
  struct Property {
    let keys: [String]
    var name: String
    var type: String
    var `default`: SourceNode.Content?
    /// The text of the default that an expression of the manifest uses for this value; "" for an empty value that means
    /// "not given"; nil if no expression has set the default.
    var usedDefault: String?
    /// Whether requests leave out a part when the variable has no value.
    var isLeftOut = false
    var description: String?
    var isSecret: Bool
    var isRequired: Bool
    var isDeclared: Bool
    var isUsed = false
    /// The template that computes the value from variables that are declared earlier.
    var computed: String?
    /// Conditions on `value`, beyond the type.
    var conditions: [FlowExpression] = []
    /// Whether the value is a text that contains a JSON document.
    var isStructure = false
  }

  var properties: [Property] = []
  var indices: [[String]: Int] = [:]
  var names: Set<String> = []
  /// The expressions that replace values of the configuration, because transformations change these values.
  var replaced: [[String]: FlowExpression] = [:]
  /// The names of variables that items give. Templates may use the same names, because each flow has only the variables
  /// of its own item.
  private var itemNames: Set<String> = []
  /// The values of the configuration that flows use without the manifest declaring them.
  private(set) var undeclared: [String] = []
  /// Lists of objects, and objects with any members; a variable contains such a value as JSON.
  var structured: [(keys: [String], node: SourceNode)] = []

  /// Values whose variable gets no default, because expressions use different defaults for them.
  var withoutDefault: Set<[String]> = []
  /// Values for which two expressions were found to use different defaults.
  private(set) var conflicts: Set<[String]> = []
  /// Requirements of a schema that no condition can express.
  var unstated: [Unstated] = []

  /// A part of a schema that no condition expresses.
  struct Unstated {
    let name: String
    let why: Why
    let node: SourceNode

    enum Why {
      /// Keywords that cannot be translated.
      case keywords([String])
      /// The reason why the value needs no condition.
      case needless(String)
    }
  }

  init() {}

  func append(_ property: Property) {
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

  /// Converts a text to a valid name: words of ASCII letters and digits, joined by underscores.
  static func word(_ text: String, isSecret: Bool) -> String {
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
    guard !keys.isEmpty else { throw JinjaError("the whole configuration cannot be translated") }
    if let index = indices[keys] { return index }
    let isOuter = indices.keys.contains { $0.count > keys.count && Array($0.prefix(keys.count)) == keys }
    if isOuter { throw JinjaError("'config.\(keys.joined(separator: "."))' is an object, which cannot be a variable") }
    if indices[Array(keys.dropLast())] != nil, keys.count > 1 {
      throw JinjaError("'config.\(keys.joined(separator: "."))' is a member of a value that is not an object")
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
  ///
  /// Throws if another expression uses 0 or `false` when the value is not given.
  func optional(_ keys: [String]) throws(JinjaError) -> String? {
    guard replaced[keys] == nil, let index = try? index(keys, default: nil) else { return nil }
    let property = properties[index]
    guard !property.isSecret, !property.isRequired else { return nil }
    if property.default != nil {
      guard property.usedDefault == "", !hasEmptyValue(index) else { return nil }
      conflicts.insert(keys)
      throw JinjaError(
        "'config.\(keys.joined(separator: "."))' is \(property.type == "boolean" ? "false" : "0") elsewhere if it is not given, and is left out here"
      )
    }
    properties[index].isUsed = true
    properties[index].isLeftOut = true
    return "vars.\(property.name)"
  }

  /// The expression for a value of the configuration.
  func look(up keys: [String], default fallback: SourceNode.Content?) throws(JinjaError) -> FlowExpression {
    if let known = replaced[keys] { return known }
    if let known = structured.first(where: { keys.starts(with: $0.keys) }) {
      return keys.dropFirst(known.keys.count).reduce(structure(known.keys, known.node)) { $0.member($1) }
    }
    let index = try index(keys, default: fallback)
    properties[index].isUsed = true
    if properties[index].isSecret { return FlowExpression("secrets.\(properties[index].name)", .string) }
    let wanted = fallback.map { SourceNode($0, line: 0, path: "").scalar ?? "" }
    let isLeftOut = properties[index].isLeftOut && (wanted != nil || !hasEmptyValue(index))
    if properties[index].default == nil, isLeftOut || withoutDefault.contains(keys) {
      var value = expression(of: properties[index])
      (value.mayBeMissing, value.isLookUp) = (true, true)
      return value
    }
    if let wanted, let used = properties[index].usedDefault, used != wanted,
      !(used.isEmpty && properties[index].type == "string")
    {
      conflicts.insert(keys)
      throw JinjaError(
        "'config.\(keys.joined(separator: "."))' has \(used.isEmpty ? "no default" : "another default") elsewhere, but "
          + "a variable has the same default everywhere")
    }
    if properties[index].default == nil {
      properties[index].usedDefault = wanted ?? ""
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
    return expression(of: properties[index])
  }

  /// Whether the type of the variable has a value that means "not given", such as an empty text; numbers and booleans
  /// have none.
  private func hasEmptyValue(_ index: Int) -> Bool {
    !["integer", "number", "boolean"].contains(properties[index].type)
  }

  /// The expression for a variable.
  func expression(of property: Property) -> FlowExpression {
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

  /// A name for a variable that an item gives, which neither a variable of the file nor another variable of the item
  /// has.
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

  /// Whether the manifest declares a value of the configuration; if the manifest declares none, every value counts as
  /// declared.
  func isDeclared(_ keys: [String]) -> Bool {
    let declared = properties.filter(\.isDeclared)
    return declared.isEmpty || declared.contains { $0.keys == keys }
  }

  /// The expression for a list of objects, or an object, that a variable contains as JSON; declares the variable if
  /// necessary.
  private func structure(_ keys: [String], _ node: SourceNode) -> FlowExpression {
    if indices[keys] == nil {
      let title = node["title"]?.text ?? node["description"]?.text
      append(
        Property(
          keys: keys, name: "", type: "string", default: nil, description: title.map { "\($0), as JSON" } ?? "As JSON",
          isSecret: false, isRequired: true, isDeclared: true, isStructure: true))
      constrain(keys, by: node)
    }
    guard let index = indices[keys] else { return FlowExpression("null", .null) }
    properties[index].isUsed = true
    return .lookUp("json(vars.\(properties[index].name))")
  }

  /// Makes an undeclared variable, of which an element is used, a list that is given as JSON, and returns the
  /// expression for the list; nil for other values.
  func list(_ value: FlowExpression) -> FlowExpression? {
    guard let index = properties.firstIndex(where: { "vars.\($0.name)" == value.text }), !properties[index].isDeclared
    else { return nil }
    properties[index].type = "string"
    properties[index].default = nil
    properties[index].description = "As JSON"
    return .lookUp("json(\(value.text))")
  }

  /// Sets the default of a variable to an empty value that means "not given", so that expressions can use the variable.
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

  /// Whether an expression is a secret that does not have to be set.
  func isOptionalSecret(_ text: String) -> Bool {
    properties.contains { $0.isSecret && !$0.isRequired && "secrets.\($0.name)" == text }
  }

  /// Makes a value of the configuration required.
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

  /// Sets the type of a variable that contains an instant or a day.
  func setTime(_ keys: [String], _ type: String) {
    guard let index = indices[keys], !properties[index].isUsed, properties[index].type == "string",
      properties[index].default == nil
    else { return }
    properties[index].type = type
    // The type replaces conditions such as a pattern.
    properties[index].conditions = []
  }
}
