import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The schemas of a `schemas` mapping.
  mutating func schemas(_ fields: FieldNodes) -> [RawSchema] {
    guard let value = fields.value("schemas"), let members = members(of: value, role: .schema) else {
      mayHaveMoreSchemas = !fields.isLeftOut("schemas")
      return []
    }
    mayHaveMoreSchemas = members.count < Self.count(of: value.node)
    return members.map { schema($0.value, name: $0.name, at: $0.key.range) }
  }

  /// One schema; a faulty one still has its name.
  mutating func schema(_ node: YAMLNode, name: String, at range: SourceRange) -> RawSchema {
    var schema = RawSchema(name: name, range: range, description: nil, key: [], fields: [], isFaulty: true)
    let errors = errorCount
    guard let nodes = open(node, as: .schema, owner: range) else { return schema }
    schema.description = nodes.value("description").flatMap { freeText($0) }
    if let fields = nodes.value("fields") { schema.fields = self.fields(fields) }
    if let key = nodes.value("key"), let values = oneOrMore(of: key) {
      schema.key = names(values, role: .field)
      if values.isEmpty { report(.missingValue, "'key' is empty", at: key.node.range, help: "leave it out") }
      // Which fields there are is only known when all of them could be read.
      let isWhole =
        nodes.value("fields").map { !schema.fields.isEmpty && Self.count(of: $0.node) == schema.fields.count } ?? false
      let known = schema.fields.map(\.name)
      for name in schema.key where isWhole && !known.contains(name.value) {
        report(
          .unknownField, "the schema has no field '\(name.value)'", at: name.range,
          meant: nearest(to: name.value, in: known), help: "its fields are \(listed(known))")
      }
    }
    schema.isFaulty = errorCount > errors
    return schema
  }

  static func count(of node: YAMLNode) -> Int {
    if case .mapping(let mapping) = node.content { mapping.entries.count } else { -1 }
  }

  /// The fields of a `fields` mapping.
  mutating func fields(_ value: FieldValue) -> [RawSchema.Field] {
    guard let members = members(of: value, role: .field) else { return [] }
    if members.isEmpty, Self.count(of: value.node) == 0 {
      report(.noFields, "there are no fields", at: value.key, help: "name at least one, for example 'id: integer'")
    }
    return members.compactMap { field($0) }
  }

  private mutating func field(_ entry: YAMLMapping.Entry) -> RawSchema.Field? {
    let range = entry.key.range
    if entry.value.isNull {
      report(.missingValue, "field '\(entry.name)' has no type", at: range, help: "write '\(entry.name): string'")
      return nil
    }
    if entry.value.isScalar {
      guard let type = shortType(entry.value, of: .field, key: range) else { return nil }
      return RawSchema.Field(
        name: entry.name, range: range, description: nil, from: Self.sameName(entry), type: type, isOptional: false,
        defaultValue: nil)
    }
    guard let nodes = open(entry.value, as: .field, owner: range) else { return nil }
    let isOptional = boolean(nodes.value("optional")) ?? false
    if isOptional, let key = nodes.key("default") {
      report(
        .contradiction, "'default' and 'optional: true' exclude each other", at: key,
        help: "with a default the field is never null")
    }
    let written = nodes.value("from").map { jsonPath($0) }
    let description = nodes.value("description").flatMap { freeText($0) }
    var computed: ComputedValue?
    if let value = nodes.value("value") {
      if let key = nodes.key("from") {
        report(
          .contradiction, "'from' and 'value' exclude each other", at: key,
          help: "read the field with 'from', or compute it with 'value'")
      }
      guard let read = computedValue(value) else { return nil }
      computed = read
    }
    guard let type = kind(nodes, isComputed: computed != nil, owner: range) else { return nil }
    return RawSchema.Field(
      name: entry.name, range: range, description: description, from: (written ?? nil) ?? Self.sameName(entry),
      type: type, isOptional: isOptional, defaultValue: isOptional ? nil : nodes.value("default"), computed: computed)
  }

  /// Where a field is read from that does not say it: from the member of its own name.
  private static func sameName(_ entry: YAMLMapping.Entry) -> Located<JSONPath> {
    Located(JSONPath(singular: [.name(entry.name)]), at: entry.key.range)
  }

  /// A type given by its word alone.
  mutating func shortType(_ node: YAMLNode, of name: ConstructName, key: SourceRange) -> RawSchema.Kind? {
    guard let spec = name.construct["type"] else { return nil }
    let value = FieldValue(spec: spec, node: node, key: key, part: node.range)
    return typeWord(value).flatMap { bareKind($0, value) }
  }

  mutating func typeWord(_ value: FieldValue) -> String? {
    guard let word = text(value) else { return nil }
    if Construct.typeNames.contains(word) { return word }
    report(
      .unknownType, "'\(printable(word))' is not a type", at: value.node.range, meant: meantType(word),
      help: "types are \(listed(Construct.typeNames, atMost: 20))")
    return nil
  }

  /// Words of other languages, then misspelt ones of this.
  mutating func meantType(_ word: String, among words: [String] = Construct.typeNames) -> String? {
    let other: String? =
      switch word.lowercased() {
      case "int", "int64", "int32", "long", "bigint", "whole": "integer"
      case "float", "double", "real": "number"
      case "str", "text", "varchar": "string"
      case "bool": "boolean"
      case "datetime", "time": "timestamp"
      case "array": "list"
      case "map", "dict", "struct", "record", "mapping": "object"
      case "any": "json"
      case "uri": "url"
      case "base64", "binary", "blob": "bytes"
      case "guid": "uuid"
      default: nil
      }
    if let other, words.contains(other) { return other }
    return nearest(to: word, in: words)
  }

  /// A type without options.
  mutating func bareKind(_ word: String, _ value: FieldValue) -> RawSchema.Kind? {
    if let plain = Self.plainType(word) { return .plain(plain) }
    let (needed, example) =
      switch word {
      case "enum": ("'values'", "{ type: enum, values: [free, pro] }")
      case "list": ("'of'", "{ type: list, of: string }")
      default: ("'fields' or 'schema'", "{ type: object, fields: { zip: string } }")
      }
    report(.incompleteType, "type '\(word)' needs \(needed)", at: value.node.range, help: "write it as in '\(example)'")
    return nil
  }

  static func plainType(_ word: String) -> TypeDeclaration? {
    switch word {
    case "string": .string
    case "integer": .integer
    case "number": .number
    case "decimal": .decimal
    case "boolean": .boolean
    case "timestamp": .timestamp(format: nil)
    case "date": .date
    case "duration": .duration
    case "uuid": .uuid
    case "url": .url
    case "bytes": .bytes
    case "json": .json
    default: nil
    }
  }
}
