import Expressions
import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads where a flow's result is persisted. The word `disabled` has the same meaning as an absent key.
  mutating func persistence(
    _ flow: FieldNodes, _ defaults: FlowDefaults, _ schema: Reading<SchemaDeclaration>, in scope: Scope
  ) -> Reading<ResultStorage<WrittenTarget>> {
    guard let value = flow.value(FlowKeys.persistence, in: scope) else {
      return flow.isLeftOut(FlowKeys.persistence) ? .absent : .broken
    }
    if case .scalar(let scalar) = value.node.content, scalar.text == "disabled" { return .absent }
    guard value.node.isSequence else { return persistence(value, defaults, schema).map { .value($0) } ?? .broken }
    return places(value, defaults, schema).map { .value($0) } ?? .broken
  }

  mutating func persistence(
    _ value: FieldValue, _ defaults: FlowDefaults, _ schema: Reading<SchemaDeclaration>
  ) -> ResultStorage<WrittenTarget>? {
    guard !value.node.isNull else { return nil }
    if case .scalar = value.node.content {
      let field = PersistenceKeys.path
      let value = FieldValue(spec: field, node: value.node, key: value.key, scope: pathScope(value.scope, schema))
      guard let path = read(field, short: value) else { return nil }
      check(.file(path), schema)
      var storage = ResultStorage<WrittenTarget>([.file(path)])
      storage.expiresAfter = defaults.expiresAfter
      storage.failsOnSaveError = defaults.failOnSaveError ?? true
      return storage
    }
    guard let nodes = open(value, as: .persistence) else { return nil }
    let contract = read(PersistenceKeys.contract, of: nodes)
    let separator = read(PersistenceKeys.flatten, of: nodes)
    let history = read(PersistenceKeys.history, of: nodes)
    var target = target(
      nodes, PersistenceKeys.target, isFrozen: contract == "freeze", path: pathScope(nodes.scope, schema))
    check(target, schema)
    let expiresAfter = read(PersistenceKeys.expiresAfter, of: nodes)
    let mode = reading(PersistenceKeys.mode, of: nodes)
    // For a merge without a key, the error is reported and the mode is not changed.
    if mode.value == .merge, !schema.isBroken, let written = nodes.value(PersistenceKeys.mode) {
      checkKey(of: schema.value, at: written.node.range)
    } else if case .table(let table)? = target, let schema = schema.value, !schema.key.isEmpty {
      // The key becomes the primary key of the table.
      checkKey(of: schema, at: table.name.range)
    }
    if case .table(var table)? = target {
      if history ?? false { checkHistory(nodes, mode, schema) }
      (table.keepsVersions, table.separator) = (history ?? false, separator)
      target = .table(table)
    }
    let failOnSaveError = read(PersistenceKeys.failOnSaveError, of: nodes)
    let deleteWhen = deleteWhen(nodes, mode, schema.value)
    let lastOnly = keepsLastOnly(nodes, mode, schema, in: target)
    guard let target, !mode.isBroken else { return nil }
    var storage = ResultStorage([target])
    storage.expiresAfter = expiresAfter ?? defaults.expiresAfter
    storage.mode = mode.value ?? .replace
    storage.failsOnSaveError = failOnSaveError ?? defaults.failOnSaveError ?? true
    (storage.deleteWhen, storage.keepsLastOnly) = (deleteWhen, lastOnly)
    return storage
  }

  /// Returns the source location of `duplicates: last`; nil if it is not declared, or after an error was reported.
  private mutating func keepsLastOnly(
    _ nodes: FieldNodes, _ mode: Reading<PersistenceMode>, _ schema: Reading<SchemaDeclaration>,
    in target: WrittenTarget?
  ) -> SourceRange? {
    guard read(PersistenceKeys.duplicates, of: nodes) == "last", let location = nodes.key(PersistenceKeys.duplicates),
      let target, !mode.isBroken, !schema.isBroken
    else { return nil }
    switch (target, mode.value ?? .replace) {
    case (.table, _):
      return fail(
        .misplacedKey, "'duplicates' is for files: a table with a key contains each key only once", at: location,
        help: "leave it out, and give the schema a key")
    case (.file, .merge):
      return fail(
        .misplacedKey, "'mode: merge' keeps only the last record of a key anyway", at: location, help: "leave it out")
    case (.file, .append):
      return fail(
        .misplacedKey, "'duplicates' cannot be used with 'mode: append', which keeps every record", at: location,
        help: "use 'mode: merge' or 'replace'")
    case (.file(let path), .replace) where path.value.isSplit:
      return fail(
        .misplacedKey, "'duplicates' cannot be used with a result in several files", at: location,
        help: "use a path without fields of records")
    case (.file, .replace):
      checkKey(of: schema.value, for: "'duplicates: last'", at: location)
      return location
    }
  }

  /// Checks that `history` can tell to which record a version of a row belongs.
  mutating func checkHistory(
    _ nodes: FieldNodes, _ mode: Reading<PersistenceMode>, _ schema: Reading<SchemaDeclaration>
  ) {
    guard let location = nodes.key(PersistenceKeys.history), !mode.isBroken else { return }
    if mode.value == .append {
      report(
        .misplacedKey, "'history' cannot be used with 'mode: append', which keeps every row", at: location,
        help: "use 'mode: merge' or 'replace', or leave out 'history'")
    } else if let schema = schema.value, schema.key.isEmpty {
      report(
        .mergeWithoutKey, "'history' needs a key, which identifies the record that a row is a version of", at: location,
        help: "add 'key: FIELD' to the schema '\(printable(schema.name))'")
    }
  }

  /// The names in the path of a result: the fields of its records, and names that are known before the flow runs.
  func pathScope(_ scope: Scope, _ schema: Reading<SchemaDeclaration>) -> Scope {
    var scope = scope.with([.init("record", schema.value?.recordType ?? .dynamic)])
    scope.mayHaveMore = false
    return scope
  }

  /// Checks that a flow has a schema if its result needs the names of fields.
  mutating func check(_ target: WrittenTarget?, _ schema: Reading<SchemaDeclaration>) {
    guard case .absent = schema else { return }
    switch target {
    case .table(let table)?:
      report(
        .invalidTable, "a table needs a schema, which names its columns", at: table.name.range, help: "declare a schema"
      )
    case .file(let path)? where path.value.isSplit:
      report(
        .invalidOutput, "a path with fields of records needs a schema", at: path.range, help: "declare a schema")
    default: break
    }
  }

  /// Reads the condition for deleted records, which requires `mode: merge`.
  private mutating func deleteWhen(
    _ nodes: FieldNodes, _ mode: Reading<PersistenceMode>, _ schema: SchemaDeclaration?
  ) -> Located<Expression>? {
    let scope = nodes.scope.without(Self.pageName.name).adding(.init("source", .dynamic))
    guard let expression = read(PersistenceKeys.deleteWhen, of: nodes, in: scope), !mode.isBroken else { return nil }
    let location = nodes.key(PersistenceKeys.deleteWhen)
    guard mode.value == .merge else {
      return fail(
        .misplacedKey, "'delete_when' needs 'mode: merge'", at: location,
        help: "add 'mode: merge', or filter the records with 'where'")
    }
    if let key = schema?.key.first(where: { name in
      schema?.fields.contains { $0.name == name.value && $0.value != nil } ?? false
    }) {
      return fail(
        .misplacedKey, "the key '\(key.value)' is computed, so a deleted record cannot be identified",
        at: location, notes: [Diagnostic.Note("the key is declared here", at: key.range)],
        help: "use a key that is read from the response")
    }
    return expression
  }

  /// Checks that every record has a key, which a merge requires.
  mutating func checkKey(
    of schema: SchemaDeclaration?, for words: String = "'mode: merge'", at mode: SourceRange
  ) {
    guard let schema, !schema.key.isEmpty else {
      report(
        .mergeWithoutKey, "\(words) needs a key", at: mode,
        help: schema == nil
          ? "add a schema with a key, for example 'schema: { key: id, fields: { id: integer } }'"
          : "add 'key: FIELD' to the schema '\(printable(schema?.name ?? ""))'")
      return
    }
    for name in schema.key {
      guard let field = schema.fields.first(where: { $0.name == name.value }) else { continue }
      if case .required = field.missing { continue }
      report(
        .mergeWithoutKey, "the key '\(name.value)' may be missing, so it cannot identify records", at: mode,
        notes: [Diagnostic.Note("'\(name.value)' is declared here", at: field.range)],
        help: "make it required: leave out 'optional' and 'default'")
      return
    }
  }

  /// Reads an output path. The values of its templates are checked when they are known.
  mutating func outputPath(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    // Check the path after each template is replaced by a letter.
    do throws(URLSyntaxError) {
      try OutputPathText.check(Self.textToCheck(template.value))
      return template
    } catch {
      return fail(.invalidOutput, error.message, at: value.node.range, help: error.help)
    }
  }

  private static func textToCheck(_ template: Template) -> String {
    if case .text(let text)? = template.segments.first, template.segments.count == 1 { return text }
    let text = template.segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    if case .text? = template.segments.last { return text }
    return template.segments.isEmpty ? text : text + ".json"
  }
}

extension FlowReader {
  /// The schema with a field for each field of its objects, if `persistence.flatten` is declared.
  ///
  /// The schema is read before `persistence`, because expressions use its fields. Errors in the key `flatten` are
  /// reported when `persistence` is read.
  mutating func flattened(_ schema: Reading<SchemaDeclaration>, _ flow: FieldNodes) -> Reading<SchemaDeclaration> {
    guard case .value(let given) = schema, let value = flow.value(FlowKeys.persistence),
      case .mapping(let mapping) = value.node.content,
      let entry = mapping.entries.first(where: { $0.name == PersistenceKeys.flatten.name }),
      case .scalar(let scalar) = entry.value.content, ["_", "__"].contains(scalar.text)
    else { return schema }
    let declared = given.with(given.fields.flatMap { $0.flattened(by: scalar.text) })
    var seen: [String: SourceRange] = [:]
    for field in declared.fields {
      guard let first = seen.updateValue(field.range, forKey: field.name) else { continue }
      report(
        .invalidTable, "'flatten' gives two fields the name '\(field.name)'", at: field.range,
        notes: [Diagnostic.Note("the other field is here", at: first)],
        help: "rename one of them, or use another text in 'flatten'")
      return .broken
    }
    return .value(declared)
  }
}

extension FieldDeclaration {
  /// The fields of an object under joined names, or the field itself.
  ///
  /// An object with a default stays, because its default is one value.
  fileprivate func flattened(by separator: String) -> [FieldDeclaration] {
    guard case .object(let fields) = self.type, value == nil, !missing.isDefault else { return [self] }
    return fields.flatMap { $0.flattened(by: separator) }.map { field in
      var field = field
      field.name = name + separator + field.name
      // The path of a field begins at its object.
      if let path = try? JSONPath(parsing: from.value.text + field.from.value.text.dropFirst()) {
        field.from = Located(path, at: field.from.range)
      }
      if !missing.isRequired, field.missing.isRequired { field.missing = .optional }
      return field
    }
  }
}

extension MissingDeclaration {
  fileprivate var isRequired: Bool { if case .required = self { true } else { false } }
  fileprivate var isDefault: Bool { if case .default = self { true } else { false } }
}
