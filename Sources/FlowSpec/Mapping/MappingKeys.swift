internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import Reshape
internal import SourceDiagnostics
internal import YAMLSyntax

/// The keys of `reshape`.
enum ReshapeKeys {
  static let construct = Construct(
    .reshape, noun: "'reshape'", "A program in a subset of jq, for responses in which no path finds the records.",
    details: """
      The program gets the whole response, at most 32 MiB, and each of its results is treated as a response: `records` \
      is applied to it, and an array stands for its elements. The subset is described in docs/reference/reshape.md; it \
      has no access to files, the environment or the clock. A program that fails on the response fails the flow.
      """,
    shortForm: .init(
      .program, "A program alone gets the whole response.",
      examples: ["\".groups[].members[]\"", "\".data | to_entries | map({id: .key} + .value)\""]), fields: [each],
    frame: .flow("resource: /customers\nreshape:\n  ◆"))

  static let each = Field(
    "each", .program, default: .required, "A program that gets each record; its results are the records.",
    details: """
      The response is read as a stream. A record on which the program fails is rejected; a record for which the \
      program has no result is left out.
      """, secrets: .refused, edit: .asksAnew, examples: ["each: \".id as $id | .lines[] | {order: $id, sku, count}\""],
    mistakes: ["each: \".lines[↓\"": .invalidProgram, "each: ↓{ a: b }": .wrongKind])
}

/// The keys of `change`.
enum ChangeKeys {
  static let construct = Construct(
    .change, noun: "'change'", "What is changed in each record before it is mapped.",
    details: "The order of the keys does not matter: members are flattened, then renamed, then removed, then added.",
    fields: [flatten, rename, remove, add], frame: .flow("resource: /customers\nchange:\n  ◆"))

  static let flatten = Field(
    "flatten", .construct(.flatten) { $0.flatten($1) }, default: "false",
    "Makes members of inner objects members of the record: `address.city` becomes `address_city`.",
    details: """
      Lists and all that they contain stay as they are, and so do empty objects. A record in which two members would \
      get the same name is rejected.
      """, edit: .byItsKeys, examples: ["flatten: true", "flatten: { delimiter: \".\", depth: 1 }"],
    mistakes: ["flatten: ↓yes": .invalidBoolean, "flatten: { ↓seperator: _ }": .unknownKey])

  static let rename = Field(
    "rename", .renames, default: "none", "New names of members, by the paths to them.",
    details: """
      A member stays in the object that contains it: `$.user.mail: email` makes `user.email`. A missing member is not \
      renamed. If the object already has a member with the new name, the record is rejected.
      """, edit: .asksAnew, examples: ["rename: { $.user_name: name, $.user.mail: email }"],
    mistakes: [
      "rename: { ↓user_name: name }": .invalidPath, "rename: { ↓\"$.tags[*]\": tag }": .invalidPath,
      "rename: { $.a: ↓[b] }": .wrongKind,
    ])

  static let remove = Field(
    "remove", .oneOrMore(of: .removedPath), default: "none", "Paths to members that are removed.",
    edit: .asksAnew, examples: ["remove: $.internal", "remove: [$.address.geo, \"$..secret\", \"$.tags[?@.hidden]\"]"],
    mistakes: ["remove: [↓internal]": .invalidPath, "remove: ↓$": .invalidPath, "remove: ↓{ a: b }": .wrongKind])

  static let add = Field(
    "add", .namedJSON, default: "none", "Members that every record gets.",
    details: """
      `record` is the record with the changes so far, `source` the record as received. An existing member is replaced. \
      A value that is exactly one expression keeps its type.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["add: { region: \"{{ vars.region }}\", full_name: \"{{ record.first }} {{ record.last }}\" }"],
    mistakes: [
      "add: ↓region": .wrongKind, "add: { x: \"{{ ↓recrd.first }}\" }": .templateUnknownRoot,
      "add: { token: \"↓{{ secrets.SHOP_TOKEN }}\" }": .templateSecretNotAllowed,
    ])
}

/// The keys of `change.flatten`.
enum FlattenKeys {
  static let construct = Construct(
    .flatten, noun: "'flatten'", "How members of inner objects become members of the record.",
    shortForm: .init(
      .boolean, "`true` flattens all levels and joins their names with `_`, as in `address_city`.", examples: ["true"]),
    fields: [separator, depth],
    frame: .flow("resource: /customers\nchange:\n  flatten:\n    ◆"))

  static let separator = Field(
    "delimiter", .text, default: "_", "The text between the joined names.", secrets: .refused,
    edit: .asksAnew, examples: ["delimiter: \".\""], mistakes: ["delimiter: ↓[_]": .wrongKind])

  static let depth = Field(
    "depth", .integer(1...256), default: "all", "How many levels of objects are flattened.", edit: .asksAnew,
    examples: ["depth: 1"], mistakes: ["depth: ↓0": .outOfRange])
}

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
    if let expression = TemplateScanner(scalar.text).lookup(of: "response") {
      return fail(
        .templateNotAllowed, "'\(value.spec.name)' takes a JSONPath, not an expression", at: value.node.range,
        suggestion: "$\(expression)")
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
