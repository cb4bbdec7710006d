internal import FieldTypes
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

/// Adds to a flow's schema the fields that the flow file does not name.
///
/// The first run infers them from the records and writes them into a lock file, which has the form of a schema file.
/// Later loads read them from there.
package struct SchemaInference {
  /// The name of the field that contains the whole record, in the result from which fields are inferred.
  package static let wholeRecord = "(record)"

  /// The name of the flow, which is the key of its fields in the lock file.
  let flow: String
  /// The flow's `cursor`, if it has one.
  let cursor: YAMLNode?

  /// The path of the lock file of a flow file: `flows/shop.lock` for `flows/shop.yaml`.
  package static func lockPath(of path: String) -> String {
    let name = PathText.name(of: path)
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return path.dropLast(name.count) + stem + ".lock"
  }
}

extension SchemaInference {
  /// Adds the fields that are not written, if a schema has no fields, or only computed ones and a key that names
  /// another field.
  ///
  /// - Parameter inference: the source of such fields; nil if all fields must be written
  /// - Returns: whether the schema can be used
  static func complete(
    _ schema: inout RawSchema, by inference: SchemaInference?, of nodes: FieldNodes, in reader: inout FlowReader
  ) -> Bool {
    let computed = Set(schema.fields.map(\.name))
    let key = nodes.value(SchemaKeys.key)?.node.texts ?? []
    let isOpen =
      schema.fields.isEmpty
      ? nodes.isLeftOut(SchemaKeys.fields)
      : schema.fields.allSatisfy { $0.computed != nil } && !computed.isSuperset(of: key)
        && nodes.value(SchemaKeys.fields).map { FlowReader.count(of: $0.node) } == schema.fields.count
    guard isOpen else { return true }
    guard let inference else {
      guard schema.fields.isEmpty else { return true }
      reader.report(
        .missingKey, "'fields' is missing in a schema", at: schema.range,
        help: "add it, for example 'fields: { id: integer }'; only the schema of one flow can leave it out")
      return false
    }
    guard let known = locked(in: &reader, at: schema.range) else { return false }
    if let fields = known[inference.flow] {
      schema.fields += fields.filter { !computed.contains($0.name) }
      schema.origin = .locked
      return true
    }
    reader.unlocked.insert("\(reader.stem).\(inference.flow)")
    guard reader.isInferring else {
      reader.report(
        .notInferred, "the fields of '\(inference.flow)' are not known yet", at: schema.range,
        help:
          "the next 'reactor run' reads them from the server's records and writes them into \(reader.printable(lockPath(of: reader.file.path)))"
      )
      return false
    }
    schema.fields += inference.provisional(key: key.filter { !computed.contains($0) }, at: schema.range)
    schema.origin = .unknown
    return true
  }

  /// The fields of the lock file by the name of the flow; empty without a lock file, nil after an error.
  private static func locked(in reader: inout FlowReader, at range: SourceRange) -> [String: [RawSchema.Field]]? {
    if let locked = reader.locked { return locked }
    let path = lockPath(of: reader.file.path)
    var fields: [String: [RawSchema.Field]] = [:]
    do throws(SourceReadError) {
      if try reader.reader.names(PathText.folder(of: path))?.contains(PathText.name(of: path)) ?? false {
        let lock = SourceFile(path: path, bytes: try reader.reader.bytes(path))
        let errors = reader.errorCount
        guard let root = YAMLDocument.parse(lock, diagnostics: &reader.diagnostics) else { return nil }
        var reading = FlowReader(lock, reader: reader.reader)
        let schemas = reading.schemaFile(root).schemas
        reader.diagnostics.merge(reading.diagnostics)
        guard reader.errorCount == errors else { return nil }
        fields = Dictionary(schemas.map { ($0.name, $0.fields) }, uniquingKeysWith: { first, _ in first })
      }
    } catch {
      return reader.fail(
        .unreadableFile, "'\(reader.printable(path))' cannot be read: \(error.message)", at: range,
        help: "check that you may read it")
    }
    reader.locked = fields
    return fields
  }

  /// Placeholders for the fields that are not inferred yet: the whole record, the key, and the field of the cursor.
  ///
  /// Requests may need the position of the cursor, and the position needs a type: the type of the declared start.
  private func provisional(key: [String], at range: SourceRange) -> [RawSchema.Field] {
    func field(_ name: String, from steps: [JSONPath.Step], _ type: FieldTypeName) -> RawSchema.Field? {
      TypeDeclaration(type).map {
        RawSchema.Field(
          name: name, range: range, description: nil, from: Located(JSONPath(singular: steps), at: range),
          type: .plain($0), isOptional: false)
      }
    }
    var fields = [field(Self.wholeRecord, from: [], .json)]
    var names = key
    if let name = cursorText(CursorKeys.field.name) {
      names.removeAll { $0 == name }
      fields.append(field(name, from: [.name(name)], Self.type(ofStart: cursorText(CursorKeys.start.name))))
    }
    return (fields + names.map { field($0, from: [.name($0)], .json) }).compactMap { $0 }
  }

  private func cursorText(_ key: String) -> String? {
    guard case .mapping(let mapping)? = cursor?.content,
      case .scalar(let scalar)? = mapping.entries.first(where: { $0.name == key })?.value.content
    else { return nil }
    return scalar.text
  }

  private static func type(ofStart start: String?) -> FieldTypeName {
    guard let start, !start.contains("{{") else { return .timestamp }
    if Int64(start) != nil { return .integer }
    return start.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}.*/) != nil ? .timestamp : .string
  }
}

extension YAMLNode {
  /// The text of a scalar, or the texts of a list.
  fileprivate var texts: [String] {
    switch content {
    case .scalar(let scalar): [scalar.text]
    case .sequence(let items): items.flatMap(\.texts)
    case .mapping: []
    }
  }
}
