internal import SourceDiagnostics
internal import YAMLSyntax

extension StreamTranslator {
  /// Translates the schema and the primary key of a stream.
  func schema(_ stream: Component) {
    if let loader = stream.child("schema_loader"), loader.type == "DynamicSchemaLoader" {
      return describe(loader, stream)
    }
    guard let node = jsonSchema(stream), let properties = node["properties"]?.members, !properties.isEmpty else {
      return
    }
    let required = Set(node["required"]?.texts ?? [])
    let schema = SchemaDraft()
    for member in properties {
      guard !member.name.isEmpty, !member.name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        schema.notes.append(
          context.lose(
            .schema, "a field whose name has control characters", needs: "another name",
            at: OutputMapping.Origin(member.value), flow: draft.name))
        continue
      }
      let (type, isNullable) = JSONSchemaType.of(member.value)
      schema.add(
        SchemaDraft.Field(
          name: member.name, type: type, isOptional: isNullable || !required.contains(member.name),
          isNullable: isNullable, origin: OutputMapping.Origin(member.value)))
    }
    guard !schema.fields.isEmpty else { return }
    draft.schema = schema
    key(stream, schema)
  }

  /// Records that the primary key is not needed if the flow has no schema. A flow with a cursor always has a schema.
  func noteKey(_ stream: Component) {
    guard draft.schema == nil, !Self.keyPaths(stream).isEmpty, let key = stream["primary_key"] else { return }
    skip("primary_key", reason: "each run replaces all records, so no key joins them with older ones", at: key)
  }

  /// The primary key: a name, a list of names, or a list of paths.
  static func keyPaths(_ stream: Component) -> [[String]] {
    guard let written = stream["primary_key"] else { return [] }
    let node = JinjaTranslator(JinjaNames(Variables(), stream)).parameter(written) ?? written
    if let text = node.scalar { return text.isEmpty ? [] : [[text]] }
    return (node.list ?? []).compactMap { element in
      if let text = element.scalar { return [text] }
      return (element.list ?? []).compactMap(\.scalar)
    }.filter { !$0.isEmpty }
  }

  /// Adds the primary key of the stream to a schema; missing fields of the key are added.
  func key(_ stream: Component, _ schema: SchemaDraft) {
    var names: [String] = []
    for path in Self.keyPaths(stream) {
      var name = path.joined(separator: "_")
      if path.count == 1, path[0].contains("{{") {
        guard let known = constant(stream.node.with(path[0]), of: stream) else {
          lose(
            .schema, "primary_key: \(path[0])", needs: "a name that is known before a run",
            at: stream["primary_key"] ?? stream.node)
          continue
        }
        name = known
      }
      if names.contains(name) { continue }
      if schema[name] == nil {
        var field = SchemaDraft.Field(
          name: name, type: OutputMapping([("type", .scalar("json"))]), origin: OutputMapping.Origin(stream))
        if path.count > 1 { field.from = OutputText.path(path) }
        schema.add(field)
      }
      schema[name]?.isOptional = false
      names.append(name)
    }
    schema.key = names
  }

  // MARK: - Where the schema is

  private func jsonSchema(_ stream: Component) -> SourceNode? {
    let loaders = stream.children("schema_loader", default: "JsonFileSchemaLoader")
    if loaders.isEmpty {
      let path = "schemas/\(draft.name).json"
      return file([path], at: stream)
    }
    var found: SourceNode?
    for loader in loaders {
      switch loader.type {
      case "InlineSchemaLoader":
        if let schema = loader["schema"], found == nil { found = schema }
      case "JsonFileSchemaLoader":
        if found != nil { continue }
        let name = loader["file_path"].flatMap { constant($0, of: loader) } ?? "./schemas/\(draft.name).json"
        found = file([name, "schemas/\(name.split(separator: "/").last ?? "")"], at: loader)
        if found == nil {
          lose(.schema, "schema_loader: the file '\(name)'", needs: "the file beside the manifest", at: loader)
        }
      case "DynamicSchemaLoader":
        lose(
          .schema, "schema_loader: DynamicSchemaLoader", needs: "a stream with one schema loader", at: loader)
      default: loseUnknown(loader, as: "schema_loader")
      }
    }
    return found
  }

  private func file(_ paths: [String], at component: Component) -> SourceNode? {
    for path in paths {
      var short = path[...]
      while short.hasPrefix("./") { short = short.dropFirst(2) }
      guard !short.hasPrefix("/"), !short.split(separator: "/").contains("..") else { continue }
      // A path may begin with the name of the connector's package, which contains the manifest.
      let inner = short.split(separator: "/").dropFirst().joined(separator: "/")
      for candidate in [String(short), inner] where !candidate.isEmpty {
        guard let bytes = context.schemaFile(candidate) else { continue }
        var diagnostics = DiagnosticBag()
        let source = SourceFile(path: candidate, bytes: bytes)
        guard
          let root = YAMLStream.documents(
            source, limits: SourceText.limits, resolvesMerges: true, diagnostics: &diagnostics)?.first
        else {
          lose(.schema, "the schema '\(candidate)'", needs: "valid JSON", at: component)
          return nil
        }
        return ManifestReader(root).whole
      }
    }
    return nil
  }
}

/// The types of a JSON schema in the flow language.
enum JSONSchemaType {
  private static let maximumDepth = 24

  /// The keys that declare the type of a field, and whether the field may be null.
  static func of(_ node: SourceNode, depth: Int = 0) -> (OutputMapping, isNullable: Bool) {
    guard depth < maximumDepth, node.members != nil else { return (any, true) }
    for key in ["anyOf", "oneOf", "allOf"] {
      guard let choices = node[key]?.list else { continue }
      let types = choices.filter { $0["type"]?.scalar != "null" }
      let isNullable = types.count < choices.count
      if types.count == 1, node["type"] == nil {
        let (type, inner) = of(types[0], depth: depth + 1)
        return (type, inner || isNullable)
      }
      if node["type"] == nil { return (any, true) }
    }
    let names = node["type"]?.texts ?? []
    let kinds = names.filter { $0 != "null" }
    let isNullable = kinds.count < names.count || kinds.isEmpty
    guard kinds.count == 1 else {
      let isNumber = Set(kinds) == ["integer", "number"]
      return (isNumber ? named("number") : any, isNullable || !isNumber)
    }
    switch kinds[0] {
    case "integer": return (named("integer"), isNullable)
    case "number": return (named(node["airbyte_type"]?.text == "integer" ? "integer" : "number"), isNullable)
    case "boolean": return (named("boolean"), isNullable)
    case "string":
      switch node["format"]?.text {
      case "date-time":
        if node["airbyte_type"]?.text == "timestamp_without_timezone" { return (named("string"), isNullable) }
        // The manifest's runner stores a time without a zone as it is, and its readers take it as UTC.
        return (OutputMapping([("type", .scalar("timestamp")), ("format", .scalar("iso8601_utc"))]), isNullable)
      case "date": return (named("date"), isNullable)
      default: return (named("string"), isNullable)
      }
    case "array": return (list(node, depth), isNullable)
    case "object": return (object(node, depth), isNullable)
    default: return (any, true)
    }
  }

  private static var any: OutputMapping { named("json") }
  private static func named(_ type: String) -> OutputMapping { OutputMapping([("type", .scalar(type))]) }

  /// The keys for a list. Elements that may be null have the type `json`.
  private static func list(_ node: SourceNode, _ depth: Int) -> OutputMapping {
    var result = named("list")
    guard let items = node["items"], items.members != nil else {
      result["of"] = .scalar("json")
      return result
    }
    let (type, isNullable) = of(items, depth: depth + 1)
    if isNullable {
      result["of"] = .scalar("json")
    } else if type.items.count == 1, let name = type["type"] {
      result["of"] = name
    } else {
      result["of"] = .mapping(type)
    }
    return result
  }

  private static func object(_ node: SourceNode, _ depth: Int) -> OutputMapping {
    let members = node["properties"]?.members ?? []
    let required = Set(node["required"]?.texts ?? [])
    var fields = OutputMapping()
    for member in members {
      guard !member.name.isEmpty, !member.name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        return any
      }
      let (type, isNullable) = of(member.value, depth: depth + 1)
      let field = SchemaDraft.Field(
        name: member.name, type: type, isOptional: isNullable || !required.contains(member.name),
        origin: OutputMapping.Origin(member.value))
      fields.set(member.name, field.node, from: field.origin)
    }
    guard !fields.isEmpty else { return any }
    var result = named("object")
    result["fields"] = .mapping(fields)
    return result
  }
}
