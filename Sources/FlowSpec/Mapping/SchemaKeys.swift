internal import FieldTypes
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

/// The keys of a schema file.
enum SchemaFileKeys {
  static let construct = Construct(
    .schemaFile, noun: "a schema file", "A file of schemas for the flow files in its parent folder and below.",
    details: "Every `.yaml` and `.yml` file directly in a `schemas` folder is one.",
    fields: [reactor, description, schemas],
    frame: .init("◆", supplies: ["reactor: 1", "schemas: { order: { fields: { id: integer } } }"], isSchemaFile: true))

  static let reactor = Field(
    "reactor", .whole(.integer(1...1)), default: .required, "The version of the format; this is version 1.",
    edit: .keepsResult, examples: ["reactor: 1"], mistakes: ["reactor: ↓one": .unsupportedVersion])

  static let description = Field(
    "description", .freeText, "What the file is for.", secrets: .refused, edit: .keepsResult,
    examples: ["description: The shop's records"], mistakes: ["description: ↓{ a: b }": .wrongKind])

  static let schemas = Field(
    "schemas", .whole(.map(.schema, .construct(.schema))), default: .required, "The schemas by name.", edit: .whereUsed,
    examples: ["schemas:\n  customer: { key: id, fields: { id: integer } }"],
    mistakes: [
      "schemas: { ↓1st: { fields: { id: integer } } }": .invalidName, "schemas: { customer: ↓integer }": .wrongKind,
    ])
}

/// The keys of a schema.
enum SchemaKeys {
  static let construct = Construct(
    .schema, noun: "a schema", "How a record of a response maps to a record of the result.",
    fields: [description, key, fields, described],
    frame: .init(
      """
      reactor: 1
      schemas:
        customer:
          ◆
      """, supplies: ["fields: { id: integer }"], isSchemaFile: true))

  static let description = Field(
    "description", .freeText, "What the records are.", secrets: .refused, edit: .keepsResult,
    examples: ["description: A person who ordered"], mistakes: ["↓descr: A person": .unknownKey])

  static let key = Field(
    "key", .whole(.oneOrMore(.name(.field))), default: "none", "The field, or fields, that identify a record.",
    edit: .asksAnew, examples: ["key: id", "fields: { shop: string, id: integer }\nkey: [shop, id]"],
    mistakes: ["key: ↓ident": .unknownField, "key: [id, ↓id]": .duplicateItem])

  static let fields = Field(
    "fields", .fields, default: "inferred from the first result", "The fields of a record, in their order.",
    details: """
      Other members of a record are dropped. In a flow's own schema, `fields` can be left out. It can also have only \
      computed fields, if `key` names a field that is not among them. The first run then asks the server twice: once \
      to infer the fields from all records, and once for the result. It writes the fields into a lock file beside the \
      flow file, `shop.lock` for `shop.yaml`. Review that file, correct it and commit it: every later run reads the \
      fields from it. Records that do not fit are rejected, and a warning lists members that are not in the file. To \
      infer the fields of a flow again, delete its part of the file. In CI nothing is inferred.
      """, edit: .byItsKeys,
    examples: ["fields: { id: integer, city: { from: $.address.city, type: string } }"],
    mistakes: ["↓fields: {}": .noFields, "fields: { id: ↓int }": .unknownType])

  static let described = Field(
    "described", .whole(.construct(.described)), default: "none: `fields` contains all",
    "More fields, which a file describes.",
    details: "For a schema in the folder `schemas`, the file is beside the schema file, or below its folder.",
    edit: .byItsKeys,
    examples: ["fields: { id: integer }\ndescribed: { file: customer.json, cases: { picklist: string } }"],
    mistakes: ["fields: { id: integer }\ndescribed: ↓customer.json": .wrongKind])
}

extension FlowReader {
  /// Reads a `schemas` mapping. Also returns whether some schemas could not be read because of errors.
  mutating func schemas(
    _ field: Field<FieldValue>, of nodes: FieldNodes
  ) -> (schemas: [RawSchema], mayHaveMore: Bool) {
    guard let value = nodes.value(field), let members = members(of: value, role: .schema) else {
      return ([], !nodes.isLeftOut(field))
    }
    let schemas = members.map { schema($0.value, name: $0.name, at: $0.key.range, scope: nodes.scope) }
    return (schemas, members.count < Self.count(of: value.node))
  }

  /// Reads one schema. A schema with errors is returned too, because its name is needed.
  ///
  /// - Parameter inference: the source of the fields if they are not written; nil if they must be written
  mutating func schema(
    _ node: YAMLNode, name: String, at range: SourceRange, scope: Scope, inference: SchemaInference? = nil
  ) -> RawSchema {
    var schema = RawSchema(name: name, range: range, description: nil, key: [], fields: [], hasError: true)
    let errors = errorCount
    guard let nodes = open(node, as: SchemaKeys.construct, owner: range, scope: scope) else { return schema }
    schema.description = read(SchemaKeys.description, of: nodes)
    schema.fields = read(SchemaKeys.fields, of: nodes) ?? []
    let written = schema.fields.count
    var isComplete = true
    if let value = nodes.value(SchemaKeys.described) {
      let described = described(value, except: Set(schema.fields.map(\.name)))
      (schema.isDescribed, isComplete) = (true, described != nil)
      schema.fields += described ?? []
    } else {
      isComplete = SchemaInference.complete(&schema, by: inference, of: nodes, in: &self)
    }
    if let key = nodes.value(SchemaKeys.key), let values = oneOrMore(of: key) {
      schema.key = names(values, role: .field)
      if values.isEmpty { report(.missingValue, "'key' is empty", at: key.node.range, help: "leave it out") }
      // The set of fields is known only if all fields could be read.
      let isWhole =
        nodes.value(SchemaKeys.fields).map {
          written > 0 && Self.count(of: $0.node) == written && isComplete
        } ?? (nodes.isLeftOut(SchemaKeys.fields) && isComplete)
      let known = schema.fields.map(\.name)
      for name in schema.key where isWhole && !known.contains(name.value) {
        report(
          .unknownField, "the schema has no field '\(name.value)'", at: name.range,
          suggestion: nearest(to: name.value, in: known), help: "its fields are \(listed(known))")
      }
    }
    schema.hasError = errorCount > errors || !isComplete
    return schema
  }

  static func count(of node: YAMLNode) -> Int {
    if case .mapping(let mapping) = node.content { mapping.entries.count } else { -1 }
  }

  /// Reads the fields of a `fields` mapping.
  mutating func fields(_ value: FieldValue) -> [RawSchema.Field]? {
    guard let members = members(of: value, role: .field) else { return [] }
    if members.isEmpty, Self.count(of: value.node) == 0 {
      report(
        .noFields, "a schema or an object needs at least one field", at: value.key,
        help: "add one, for example 'id: integer'")
    }
    return members.compactMap { field($0, value.scope) }
  }

  private mutating func field(_ entry: YAMLMapping.Entry, _ scope: Scope) -> RawSchema.Field? {
    let range = entry.key.range
    if entry.value.isNull {
      report(.missingValue, "field '\(entry.name)' has no type", at: range, help: "write '\(entry.name): string'")
      return nil
    }
    guard case .mapping = entry.value.content else {
      let value = FieldValue(spec: FieldKeys.type, node: entry.value, key: range, scope: scope)
      guard let type = shortType(value) else { return nil }
      return RawSchema.Field(
        name: entry.name, range: range, description: nil, from: Self.sameName(entry), type: type.kind,
        isOptional: type.isOptional, defaultValue: nil)
    }
    guard let nodes = open(entry.value, as: FieldKeys.construct, owner: range, scope: scope) else { return nil }
    let isDeclaredOptional = read(FieldKeys.optional, of: nodes) ?? false
    let from = read(FieldKeys.from, of: nodes)
    let description = read(FieldKeys.description, of: nodes)
    var computed: ComputedValue?
    if nodes.key(FieldKeys.value) != nil {
      computed = read(FieldKeys.value, of: nodes)
      guard computed != nil else { return nil }
    }
    guard let written = kind(nodes, isComputed: computed != nil, owner: range) else { return nil }
    if written.isOptional { checkOptional(nodes) }
    let (type, isOptional) = (written.kind, isDeclaredOptional || written.isOptional)
    let coerces = read(FieldKeys.coerce, of: nodes) ?? false
    if coerces, let key = nodes.key(FieldKeys.coerce) { checkCoerced(type, isComputed: computed != nil, at: key) }
    return RawSchema.Field(
      name: entry.name, range: range, description: description, from: from ?? Self.sameName(entry), type: type,
      isOptional: isOptional, coerces: coerces, defaultValue: isOptional ? nil : nodes.value(FieldKeys.defaultValue),
      computed: computed)
  }

  /// Reports `coerce` where it has no effect.
  private mutating func checkCoerced(_ type: RawSchema.Kind, isComputed: Bool, at key: SourceRange) {
    if isComputed {
      report(
        .misplacedOption, "'coerce' has no effect on a computed field", at: key,
        help: "leave it out, or convert the value in 'value'")
    }
    if case .plain(let type) = type, type.typeName != .json { return }
    report(
      .misplacedOption, "'coerce' is for types of a single value", at: key,
      help: "leave it out, or declare it for the fields inside")
  }

  /// The path of a field without `from`: the member with the field's own name.
  private static func sameName(_ entry: YAMLMapping.Entry) -> Located<JSONPath> {
    Located(JSONPath(singular: [.name(entry.name)]), at: entry.key.range)
  }

  /// Reports a name that no schema has.
  mutating func reportUnknownSchema(_ name: Located<String>, in set: SchemaSet) {
    let help =
      set.isEmpty
      ? "define it under 'schemas' in this file, or in a file of a folder 'schemas' beside or above it"
      : "schemas are \(listed(set.allNames))"
    report(
      .unknownSchema, "schema '\(printable(name.value))' does not exist", at: name.range,
      suggestion: nearest(to: name.value, in: set.allNames), help: help)
  }
}
