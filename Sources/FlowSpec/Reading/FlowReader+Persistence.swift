import Expressions
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Where a flow's result is kept; absent also where the flow says that it is not.
  mutating func persistence(
    _ flow: FieldNodes, _ defaults: FlowDefaults, _ schema: Reading<SchemaDeclaration>
  ) -> Reading<PersistenceDeclaration> {
    if case .scalar(let scalar)? = flow.value("persistence")?.node.content, scalar.text == "disabled" { return .absent }
    return reading("persistence", of: flow) { $0.persistence($1, defaults, schema) }
  }

  private mutating func persistence(
    _ value: FieldValue, _ defaults: FlowDefaults, _ schema: Reading<SchemaDeclaration>
  ) -> PersistenceDeclaration? {
    guard !value.node.isNull else { return nil }
    guard let spec = Construct.persistence["path"] else { return nil }
    if case .scalar = value.node.content {
      return outputPath(FieldValue(spec: spec, node: value.node, key: value.key)).map {
        PersistenceDeclaration(
          path: $0, expiresAfter: defaults.expiresAfter, mode: .replace,
          failOnSaveError: defaults.failOnSaveError ?? true)
      }
    }
    guard let fields = open(value.node, as: .persistence, owner: value.key) else { return nil }
    let path = fields.value("path").flatMap { outputPath($0) }
    let expiresAfter = duration(fields.value("expires_after"))
    let mode = reading("mode", of: fields) { $0.persistenceMode($1, schema) }
    let failOnSaveError = boolean(fields.value("fail_on_save_error"))
    let deleteWhen = fields.value("delete_when").flatMap { self.deleteWhen($0, mode, schema.value) }
    guard let path, !mode.isBroken else { return nil }
    return PersistenceDeclaration(
      path: path, expiresAfter: expiresAfter ?? defaults.expiresAfter, mode: mode.value ?? .replace,
      deleteWhen: deleteWhen, failOnSaveError: failOnSaveError ?? defaults.failOnSaveError ?? true)
  }

  /// What says that a record is gone; only a merged result has one to take out.
  private mutating func deleteWhen(
    _ value: FieldValue, _ mode: Reading<PersistenceMode>, _ schema: SchemaDeclaration?
  ) -> Located<Expression>? {
    let names = runtimeNames
    defer { runtimeNames = names }
    runtimeNames = [.init("source", .dynamic)] + names.filter { $0.name != Self.pageName.name }
    guard let expression = expression(value, of: .bool) else { return nil }
    guard !mode.isBroken else { return nil }
    guard mode.value == .merge else {
      report(
        .misplacedKey, "'delete_when' takes records out of a merged result", at: value.key,
        help: "add 'mode: merge', or leave records out with 'where'")
      return nil
    }
    if let key = schema?.key.first(where: { name in
      schema?.fields.contains { $0.name == name.value && $0.value != nil } ?? false
    }) {
      report(
        .misplacedKey, "the key '\(key.value)' is computed, and of a record that is gone only what it holds is known",
        at: value.key, notes: [Diagnostic.Note("the key is declared here", at: key.range)],
        help: "use a key that is read from the answer")
      return nil
    }
    return expression
  }

  /// A mode; a merge without a key is reported, and still meant.
  private mutating func persistenceMode(_ value: FieldValue, _ schema: Reading<SchemaDeclaration>) -> PersistenceMode? {
    guard let word = choice(value, PersistenceMode.allCases.map(\.rawValue)), let mode = PersistenceMode(rawValue: word)
    else { return nil }
    if mode == .merge, !schema.isBroken { checkKey(of: schema.value, at: value.node.range) }
    return mode
  }

  /// Merging needs a key that every record has.
  private mutating func checkKey(of schema: SchemaDeclaration?, at mode: SourceRange) {
    guard let schema, !schema.key.isEmpty else {
      report(
        .mergeWithoutKey, "'mode: merge' needs to know which records are the same", at: mode,
        help: schema == nil
          ? "add a schema with a key, for example 'schema: { key: id, fields: { id: integer } }'"
          : "add 'key: FIELD' to the schema '\(printable(schema?.name ?? ""))'")
      return
    }
    for name in schema.key {
      guard let field = schema.fields.first(where: { $0.name == name.value }) else { continue }
      if case .required = field.missing { continue }
      report(
        .mergeWithoutKey, "the key '\(name.value)' may be missing, so that it cannot tell records apart", at: mode,
        notes: [Diagnostic.Note("'\(name.value)' is declared here", at: field.range)],
        help: "make it required: leave out 'optional' and 'default'")
      return
    }
  }

  /// An output path; what depends on values is checked when they are known.
  mutating func outputPath(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    // A value may hold anything; a letter in its place shows whether the rest can be right.
    do throws(URLFault) {
      try OutputPathText.check(Self.textToCheck(template.value))
      return template
    } catch {
      report(.invalidOutput, error.message, at: value.node.range, help: error.help)
      return nil
    }
  }

  private static func textToCheck(_ template: Template) -> String {
    if case .text(let text)? = template.segments.first, template.segments.count == 1 { return text }
    let text = template.segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    if case .text? = template.segments.last { return text }
    return template.segments.isEmpty ? text : text + ".json"
  }

  /// The path of a file for rejected records, which is JSON Lines.
  mutating func rejectedPath(_ value: FieldValue) -> Located<Template>? {
    guard !value.node.isNull, let template = outputPath(value) else { return nil }
    guard case .text(let text)? = template.value.segments.last else { return template }
    if text.hasSuffix(".jsonl") { return template }
    report(
      .invalidOutput, "rejected records are kept as JSON Lines", at: value.node.range,
      help: "end the path with '.jsonl'")
    return nil
  }
}
