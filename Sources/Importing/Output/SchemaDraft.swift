/// A schema that is being translated.
final class SchemaDraft {
  /// A field.
  struct Field {
    let name: String
    /// The keys of the type: `type`, `of`, `fields` and `format`.
    var type: OutputMapping
    var isOptional = true
    /// Whether the source says that the value may be null.
    var isNullable = false
    var value: String?
    var from: String?
    var origin: OutputMapping.Origin?
  }

  private(set) var fields: [Field] = []
  private var indices: [String: Int] = [:]
  var key: [String] = []
  /// The keys of `described`, for more fields that a file describes; nil without such fields.
  var described: OutputMapping?
  /// Comments on losses.
  var notes: [String] = []

  init() {}

  /// Adds a field, or replaces the one with the name.
  func add(_ field: Field) {
    if let index = indices[field.name] {
      fields[index] = field
    } else {
      indices[field.name] = fields.count
      fields.append(field)
    }
  }

  subscript(_ name: String) -> Field? {
    get { indices[name].map { fields[$0] } }
    set { if let index = indices[name], let newValue { fields[index] = newValue } }
  }

  func remove(_ name: String) {
    guard let index = indices[name] else { return }
    fields.remove(at: index)
    indices = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.name, $0) })
  }

  /// Adds the whole record as received, for sources that do not declare all fields.
  func addWholeRecord(from origin: OutputMapping.Origin) {
    add(
      Field(
        name: free("record"), type: OutputMapping([("type", .scalar("json"))]), isOptional: false, from: "$",
        origin: origin))
  }

  /// Adds a digest of the record as its key, for sources without a key: a record that arrives again unchanged is then
  /// the same record.
  func addDigest(from origin: OutputMapping.Origin) {
    let name = free("digest")
    add(
      Field(
        name: name, type: OutputMapping([("type", .scalar("string"))]), isOptional: false,
        value: OutputText.quoted("{{ sha256(to_json(source)) }}"), origin: origin))
    key = [name]
  }

  private func free(_ wish: String) -> String { indices[wish] == nil ? wish : free(wish + "_") }

  /// The schema as it is written.
  var node: OutputNode {
    var result = OutputMapping()
    if !key.isEmpty { result["key"] = key.count == 1 ? .text(key[0]) : .list(key.map { .text($0) }) }
    var list = OutputMapping()
    // The field with the whole record comes after the fields that were taken from it.
    for field in fields where field.from != "$" { list.append(field.name, field.node, from: field.origin) }
    for field in fields where field.from == "$" { list.append(field.name, field.node, from: field.origin) }
    for note in notes { result.note(note) }
    result["fields"] = .mapping(list)
    if let described { result["described"] = .mapping(described) }
    return .mapping(result)
  }
}

extension OutputMapping {
  /// The same type, with a list of a named type in the short notation, such as `[string]`.
  var withShortList: OutputMapping {
    guard case .scalar("list")? = self["type"], let element = self["of"], case .scalar = element else { return self }
    var result = self
    result["of"] = nil
    result["type"] = .list([element])
    return result
  }

  /// Lets the field of this type be absent or null.
  mutating func makeOptional() {
    if case .scalar(let name)? = self["type"] {
      self["type"] = .scalar(name + "?")
    } else {
      self["optional"] = .scalar("true")
    }
  }
}

extension SchemaDraft.Field {
  /// The field as it is written; only the name of the type if there is nothing else.
  var node: OutputNode {
    var result = OutputMapping()
    if let from { result["from"] = .text(from) }
    if let value { result["value"] = .scalar(value) }
    for entry in type.withShortList.entries { result.set(entry.name, entry.value, from: nil) }
    if isOptional { result.makeOptional() }
    if result.items.count == 1, let type = result["type"] { return type }
    return .mapping(result)
  }
}
