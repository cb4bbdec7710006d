import Expressions
import FlowModel
import JSONSyntax
import Reshape
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the operations of a flow on records, except the schema.
  mutating func mapping(_ nodes: FieldNodes, schema: SchemaDeclaration?, in scope: Scope) -> MappingDeclaration {
    var mapping = MappingDeclaration()
    let source = ExpressionType.Member("source", .dynamic)
    mapping.reshape = read(FlowKeys.reshape, of: nodes, in: scope)
    mapping.change = read(FlowKeys.change, of: nodes, in: scope.adding(.init("record", .dynamic), source))
    // If the schema could not be read, uses of its fields are not errors.
    let record = ExpressionType.Member("record", schema?.recordType ?? .dynamic)
    var names = scope.adding(record, source)
    if let cursor = nodes.value(FlowKeys.cursor) { names.names.append(cursorInRecords(cursor, schema)) }
    mapping.condition = read(FlowKeys.condition, of: nodes, in: names)
    return mapping
  }

  // MARK: - Programs

  mutating func reshape(_ value: FieldValue) -> MappingDeclaration.Program? {
    if value.node.isScalar { return program(value, isForEach: false) }
    return open(value, as: .reshape).flatMap { read(ReshapeKeys.each, of: $0) }
  }

  mutating func program(_ value: FieldValue, isForEach: Bool) -> MappingDeclaration.Program? {
    guard let text = scalar(value) else { return nil }
    do throws(ReshapeError) {
      let program = Located(try Reshape(parsing: text), at: value.node.range)
      return MappingDeclaration.Program(program: program, isForEach: isForEach)
    } catch {
      let end = text.utf8.count
      let start = min(max(error.offset, 0), end)
      report(
        .invalidProgram, error.message, at: location(of: start..<min(start + 1, end), in: value.node), help: error.help)
      return nil
    }
  }

  // MARK: - Changes

  mutating func change(_ value: FieldValue) -> MappingDeclaration.Change? {
    guard let nodes = open(value, as: .change) else { return nil }
    return MappingDeclaration.Change(
      flatten: read(ChangeKeys.flatten, of: nodes), rename: read(ChangeKeys.rename, of: nodes) ?? [],
      remove: read(ChangeKeys.remove, of: nodes) ?? [], add: read(ChangeKeys.add, of: nodes) ?? [])
  }

  mutating func flatten(_ value: FieldValue) -> (separator: String, depth: Int?)? {
    if value.node.isScalar { return boolean(value) == true ? ("_", nil) : nil }
    guard let nodes = open(value, as: .flatten) else { return nil }
    return (read(FlattenKeys.separator, of: nodes) ?? "_", read(FlattenKeys.depth, of: nodes)?.value)
  }

  /// Reads the path of a member to remove from each record.
  mutating func removedPath(_ value: FieldValue) -> Located<JSONPath>? {
    guard let path = jsonPath(value) else { return nil }
    if let steps = path.value.singularSteps, steps.isEmpty {
      report(
        .invalidPath, "'$' would remove the record itself", at: path.range, help: "leave records out with 'where'")
    }
    return path
  }

  /// Reads a mapping from the path of a member to its new name.
  mutating func renames(
    _ value: FieldValue
  ) -> [(path: Located<JSONPath>, steps: [JSONPath.Step], name: String)] {
    guard let members = members(of: value, role: .path) else { return [] }
    return members.compactMap { member in
      let key = value.part(member.key)
      let name = self.name(value.part(member.value, at: member.key.range), role: .field)
      guard let path = jsonPath(key) else { return nil }
      guard let steps = path.value.singularSteps, case .name? = steps.last else {
        report(
          .invalidPath, "'\(printable(path.value.text))' does not name one member", at: path.range,
          help: "write names and indexes only, and a name at the end, for example $.user.mail")
        return nil
      }
      return name.map { (path, steps, $0.value) }
    }
  }

  // MARK: - Records

  /// Reads the path to the records. It may contain variables.
  mutating func recordsPath(_ value: FieldValue) -> (path: Located<JSONPath>?, template: Located<Template>?)? {
    guard case .scalar(let scalar) = value.node.content, TemplateScanner.hasTemplate(scalar.text) else {
      return (jsonPath(value), nil)
    }
    guard let template = template(value) else { return nil }
    do throws(PathTemplateError) {
      _ = try template.value.path { _ in "x" }
      return (nil, template)
    } catch {
      report(.invalidPath, error.message, at: value.node.range, help: error.help)
      return nil
    }
  }
}
