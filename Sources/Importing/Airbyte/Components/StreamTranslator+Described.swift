/// How a flow creates the schema of another flow: its records describe one field each.
struct FieldDescription {
  /// The stream whose records are the descriptions.
  let listing: Component
  /// The jq program that creates several descriptions from a record; nil if each record is one description.
  let elements: String?
  /// jq programs that change the name of a field, one after the other.
  let programs: [String]
  let component: Component
  /// The names that lead to a field's name in a description.
  let name: [String]
  /// The names that lead to the name of a field's type; nil if all fields are texts.
  let type: [String]?
  /// Mappings of types that apply only if a condition on the description is true: the type in the description, the
  /// condition, and the type in the flow language.
  var conditional: [(written: String, condition: SourceNode, type: String)] = []
  /// The component with the condition that selects fields; it gets an object whose only member is the field.
  var filter: Component?
}

/// Schemas that a server describes.
extension StreamTranslator {
  /// Translates a `DynamicSchemaLoader` into fields that a file describes, which another flow writes.
  func describe(_ loader: Component, _ stream: Component) {
    guard let retriever = loader["retriever"], retriever.members != nil,
      let identifier = loader.child("schema_type_identifier", default: "SchemaTypeIdentifier")
    else {
      return lose(
        .schema, "schema_loader: DynamicSchemaLoader", needs: "'retriever' and 'schema_type_identifier'", at: loader)
    }
    let listing = loader.sibling(
      SourceNode(
        .mapping([SourceNode.Member(name: "retriever", value: retriever)]), line: retriever.line, path: retriever.path),
      default: "DeclarativeStream")
    if let problem = ManifestTranslator.problem(of: listing, "\(draft.name)_fields") {
      return lose(problem.kind, "schema_loader: DynamicSchemaLoader", needs: problem.needs, at: loader)
    }
    guard let name = pointer("key_pointer", identifier), !name.isEmpty,
      let outer = pointer("schema_pointer", identifier), let type = pointer("type_pointer", identifier)
    else {
      return lose(
        .schema, "schema_loader: DynamicSchemaLoader",
        needs: "pointers that contain only names and are known before a run", at: identifier)
    }
    let schema = SchemaDraft()
    let programs = fieldNames(loader, schema)
    key(stream, schema)
    guard !schema.fields.isEmpty else {
      return lose(
        .schema, "schema_loader: DynamicSchemaLoader",
        needs: "a primary key, or another field that is known before a run; records are stored as received", at: loader)
    }
    var description = FieldDescription(
      listing: listing, elements: outer.isEmpty ? nil : "\(Self.jq(outer))[]?", programs: programs, component: loader,
      name: name, type: type.isEmpty ? nil : type)
    description.filter = filter(loader, renames: !programs.isEmpty)
    var described = OutputMapping([("file", .text("\(draft.name)_fields.jsonl"))])
    let types = types(identifier, &description)
    if !types.isEmpty { described["cases"] = .mapping(types) }
    described["else"] = .scalar("json")
    schema.described = described
    draft.schema = schema
    draft.description = description
  }

  /// The `schema_filter`; nil if it is missing, or if transformations change the names that it compares.
  private func filter(_ loader: Component, renames: Bool) -> Component? {
    guard let filter = loader.child("schema_filter", default: "RecordFilter") else { return nil }
    guard filter.type == "RecordFilter", !renames else {
      lose(
        .schema, "schema_filter: \(filter["condition"]?.scalar ?? filter.type)",
        needs: "a condition on names that no transformation changes; all fields are taken", at: filter)
      return nil
    }
    return filter
  }

  /// The names in a pointer of the manifest: empty if it is missing, nil if it is not known before a run.
  private func pointer(_ field: String, _ identifier: Component) -> [String]? {
    let steps = identifier[field]?.list ?? []
    let names = steps.compactMap { constant($0, of: identifier) }
    return names.count == steps.count && !names.contains { $0.contains("*") } ? names : nil
  }

  /// Translates the transformations of a schema: returns programs for the names of fields, and adds fields to `schema`.
  private func fieldNames(_ loader: Component, _ schema: SchemaDraft) -> [String] {
    var programs: [String] = []
    for transformation in loader.children("schema_transformations") {
      switch transformation.type {
      case "KeysToLower": programs.append("ascii_downcase")
      case "KeysToSnakeCase": programs.append(Self.snakeCase)
      case "AddFields" where transformation["condition"]?.filled == nil: add(transformation, to: schema)
      default: loseUnknown(transformation, as: "schema_transformation")
      }
    }
    return programs
  }

  private func add(_ transformation: Component, to schema: SchemaDraft) {
    for field in transformation.children("fields", default: "AddedFieldDefinition") {
      let path = (field["path"]?.list ?? []).compactMap { constant($0, of: field) }
      guard path.count == 1, let value = field["value"],
        let type = (try? JinjaTemplate(value.scalar ?? ""))?.only.flatMap({ SourceNode($0, at: value) }),
        type["type"] != nil
      else {
        lose(
          .schema, "schema_transformation: the field '\(path.joined(separator: "."))'",
          needs: "a name and a type that are known before a run", at: field)
        continue
      }
      schema.add(
        SchemaDraft.Field(
          name: path[0], type: JSONSchemaType.of(type).0, isNullable: true, origin: OutputMapping.Origin(field)))
    }
  }

  // MARK: - Types

  /// The types of the flow language, by the server's names for types. Mappings with conditions are added to the
  /// description.
  private func types(_ identifier: Component, _ description: inout FieldDescription) -> OutputMapping {
    var types = OutputMapping()
    for mapping in identifier.children("types_mapping", default: "TypesMap") {
      guard let target = mapping["target_type"] else { continue }
      let type = Self.type(target)
      for written in mapping["current_type"]?.texts ?? [] where types[written] == nil {
        guard let condition = mapping["condition"], condition.filled != nil else {
          types[written] = .scalar(type)
          continue
        }
        description.conditional.append((written, condition, type))
      }
    }
    // A type that a condition gives is looked up like one of the server.
    for (index, entry) in description.conditional.enumerated().reversed() {
      guard let other = types[entry.type], other != .scalar(entry.type) else { continue }
      lose(
        .schema, "types_mapping of '\(entry.written)' on a condition",
        needs: "a type other than '\(entry.type)', which the server uses with another meaning", at: entry.condition)
      description.conditional.remove(at: index)
    }
    // Types with the same name in the flow language need no entry.
    for entry in types.entries where entry.value == .scalar(entry.name) { types[entry.name] = nil }
    return types
  }

  /// A type of a manifest in the flow language. Lists, objects and choices are kept as they are.
  private static func type(_ node: SourceNode) -> String {
    switch node.text {
    case "string", "timestamp_without_timezone", "time_without_timezone", "time_with_timezone": "string"
    case "boolean": "boolean"
    case "date": "date"
    case "timestamp_with_timezone": "timestamp"
    case "integer": "integer"
    case "number": "number"
    default: "json"
    }
  }

  /// Adds to the flow that lists descriptions: the program that extracts them and the fields that store them.
  func listFields(_ description: FieldDescription) {
    let component = description.component
    if let elements = description.elements { reshape(elements, component) }
    let name = Self.jq(description.name)
    for program in description.programs { reshape("\(name) |= (\(program))", component) }
    let origin = OutputMapping.Origin(component)
    let schema = SchemaDraft()
    var field = SchemaDraft.Field(
      name: "name", type: OutputMapping([("type", .scalar("string"))]), isOptional: false, origin: origin)
    if description.name != ["name"] { field.from = OutputText.path(description.name) }
    schema.add(field)
    let written = description.type?.reduce(FlowExpression("source", .any, isLookUp: true)) { $0.member($1) }
    var value = written.map { "coalesce(\($0.text), 'string')" } ?? "'string'"
    let names = recordNames.with("raw_schema", FlowExpression("source", .any, isLookUp: true))
    for entry in description.conditional.reversed() {
      guard let written,
        let condition = self.condition(entry.condition, of: component, as: "types_mapping", names: names)
      else { continue }
      let test = "coalesce(\(written.text), '') == \(FlowExpression.literal(entry.written).text)"
      value = "\(test) && \(condition.operand(.relation)) ? \(FlowExpression.literal(entry.type).text) : \(value)"
    }
    schema.add(
      SchemaDraft.Field(
        name: "type", type: OutputMapping([("type", .scalar("string"))]), isOptional: false,
        value: OutputText.quoted("{{ \(value) }}"), origin: origin))
    draft.schema = schema
    if let filter = description.filter, let condition = filter["condition"], condition.filled != nil {
      take(condition, of: filter, description)
    }
  }

  /// Adds a `where` that selects the descriptions whose names a condition on `{name: type}` accepts.
  private func take(_ condition: SourceNode, of filter: Component, _ description: FieldDescription) {
    let name = description.name.reduce(FlowExpression("source", .any)) { FlowExpression($0.member($1).text, .any) }
    let field = FlowExpression("{\(name.text): {}}", .map)
    guard
      var test = self.condition(
        condition, of: filter, as: "schema_filter", names: recordNames.with("record", field)), test.text != "true"
    else { return }
    // The object has one member, so it contains a name if that is the name of the field.
    test.text = test.text.replacing(" in \(field.text)", with: " == \(name.text)")
    guard !test.text.contains(field.text) else {
      return lose(
        .schema, "schema_filter: \(condition.scalar ?? "")", needs: "a condition on the names of fields", at: filter)
    }
    draft.keys.set("where", .scalar(OutputText.expression(test.text)), from: OutputMapping.Origin(filter))
  }
}

extension SourceNode {
  /// The value of a literal expression; nil for other expressions.
  fileprivate convenience init?(_ expression: JinjaExpression, at node: SourceNode) {
    let content: Content
    switch expression {
    case .none: content = .null
    case .bool(let value): content = .bool(value)
    case .integer(let digits), .number(let digits): content = .number(digits)
    case .text(let text): content = .text(text)
    case .list(let elements):
      let values = elements.compactMap { SourceNode($0, at: node) }
      guard values.count == elements.count else { return nil }
      content = .list(values)
    case .mapping(let pairs):
      var members: [Member] = []
      for pair in pairs {
        guard case .text(let name) = pair.name, let value = SourceNode(pair.value, at: node) else { return nil }
        members.append(Member(name: name, value: value))
      }
      content = .mapping(members)
    default: return nil
    }
    self.init(content, line: node.line, path: node.path)
  }
}
