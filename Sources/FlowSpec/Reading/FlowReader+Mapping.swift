import Expressions
import JSONSyntax
import Reshape
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What a flow does with records besides mapping them.
  mutating func mapping(_ fields: FieldNodes, schema: SchemaDeclaration?) -> MappingDeclaration {
    var mapping = MappingDeclaration()
    mapping.reshape = fields.value("reshape").flatMap { reshape($0) }
    let names = runtimeNames
    defer { runtimeNames = names }
    runtimeNames = [.init("record", .dynamic), .init("source", .dynamic)] + names
    mapping.change = fields.value("change").flatMap { change($0) }
    guard let condition = fields.value("where") else { return mapping }
    // A schema that could not be read is no reason to doubt its fields' names.
    runtimeNames = [.init("record", schema?.recordType ?? .dynamic), .init("source", .dynamic)] + names
    mapping.condition = expression(condition, of: .bool)
    return mapping
  }

  // MARK: - Programs

  private mutating func reshape(_ value: FieldValue) -> MappingDeclaration.Program? {
    guard !value.node.isNull else { return nil }
    if value.node.isScalar {
      return program(value).map { MappingDeclaration.Program(program: $0, isForEach: false) }
    }
    guard let fields = open(value.node, as: .reshape, owner: value.key), let each = fields.value("each") else {
      return nil
    }
    return program(each).map { MappingDeclaration.Program(program: $0, isForEach: true) }
  }

  private mutating func program(_ value: FieldValue) -> Located<Reshape>? {
    guard let text = scalar(value) else { return nil }
    do throws(ReshapeError) {
      return Located(try Reshape(parsing: text), at: value.node.range)
    } catch {
      let end = text.utf8.count
      let start = min(max(error.offset, 0), end)
      report(
        .invalidProgram, error.message, at: place(start..<min(start + 1, end), in: value.node), help: error.help)
      return nil
    }
  }

  // MARK: - Changes

  private mutating func change(_ value: FieldValue) -> MappingDeclaration.Change? {
    guard !value.node.isNull, let fields = open(value.node, as: .change, owner: value.key) else { return nil }
    var change = MappingDeclaration.Change()
    if let flatten = fields.value("flatten") { change.flatten = self.flatten(flatten) }
    if let rename = fields.value("rename") { change.rename = self.rename(rename) }
    for path in fields.value("remove").flatMap({ oneOrMore(of: $0) }) ?? [] {
      guard let path = jsonPath(path) else { continue }
      if let steps = path.value.singularSteps, steps.isEmpty {
        report(
          .invalidPath, "'$' would remove the record itself", at: path.range, help: "leave records out with 'where'")
      }
      change.remove.append(path)
    }
    guard let add = fields.value("add"), let members = members(of: add, role: .field) else { return change }
    for member in members {
      guard let document = templatedJSON(member.value, in: add.part(member.value)) else { continue }
      change.add.append((Located(member.name, at: member.key.range), Located(document, at: member.value.range)))
    }
    return change
  }

  private mutating func flatten(_ value: FieldValue) -> (separator: String, depth: Int?)? {
    guard !value.node.isNull else { return nil }
    if value.node.isScalar { return boolean(value) == true ? ("_", nil) : nil }
    guard let fields = open(value.node, as: .flatten, owner: value.key) else { return nil }
    return (
      fields.value("separator").flatMap { text($0) } ?? "_", integer(fields.value("depth"), in: 1...256)?.value
    )
  }

  private mutating func rename(
    _ value: FieldValue
  ) -> [(path: Located<JSONPath>, steps: [JSONPath.Step], name: String)] {
    guard let members = members(of: value, role: .path) else { return [] }
    return members.compactMap { member in
      let key = FieldValue(spec: value.spec, node: member.key, key: value.key, part: member.key.range)
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

  /// The place of the records, which variables may be part of.
  mutating func records(_ value: FieldValue?) -> (path: Located<JSONPath>?, template: Located<Template>?) {
    guard let value, case .scalar(let scalar) = value.node.content, TemplateScanner.hasTemplate(scalar.text) else {
      return (jsonPath(value), nil)
    }
    // What is known only while the flow runs comes too late: the reader is made before.
    let names = runtimeNames
    runtimeNames = []
    defer { runtimeNames = names }
    guard let template = template(value) else { return (nil, nil) }
    do throws(PathTemplateError) {
      _ = try template.value.path { _ in "x" }
      return (nil, template)
    } catch {
      report(.invalidPath, error.message, at: value.node.range, help: error.help)
      return (nil, nil)
    }
  }
}
