import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

/// The keys of a place of records.
struct TargetKeys: Sendable {
  /// The key that has them, for messages.
  let owner: String
  let path: Field<Located<Template>>
  let store: Field<Located<String>>
  let table: Field<Located<Template>>
  /// Further keys that only a table has.
  var ofTables: [any FieldSpec] = []
}

/// Places of results and of rejected records: a path, or a store and a table.
extension FlowReader {
  /// Reads a place of records.
  ///
  /// - Parameter scope: the names that the path may use; nil for those of the mapping
  mutating func target(
    _ nodes: FieldNodes, _ keys: TargetKeys, isFrozen: Bool = false, path scope: Scope? = nil
  ) -> WrittenTarget? {
    let path = read(keys.path, of: nodes, in: scope ?? Self.known(nodes.scope))
    let store = read(keys.store, of: nodes)
    let table = read(keys.table, of: nodes, in: Self.known(nodes.scope))
    let (isInFile, isInTable) = (!nodes.isLeftOut(keys.path), !nodes.isLeftOut(keys.table))
    if isInFile {
      let ofTables: [any FieldSpec] = [keys.table, keys.store] + keys.ofTables
      guard let key = ofTables.lazy.compactMap({ nodes.key($0) }).first else { return path.map { .file($0) } }
      return fail(
        .misplacedKey, "records are stored either in a file or in a table", at: key,
        help: "leave out 'path', or 'store' and 'table'")
    }
    guard isInTable, !nodes.isLeftOut(keys.store) else {
      guard !nodes.hasError else { return nil }
      let missing = isInTable ? "store" : nodes.isLeftOut(keys.store) ? "path" : "table"
      return fail(
        .missingKey, "'\(missing)' is missing in '\(keys.owner)'", at: nodes.range,
        help: missing == "path" ? "add 'path: out/customers.jsonl', or a 'store' and a 'table'" : "add '\(missing): …'")
    }
    guard let store, let table else { return nil }
    return .table(WrittenTable(table, in: store, isFrozen: isFrozen))
  }

  /// The names whose values are known before the flow runs: neither parents nor pages.
  private static func known(_ scope: Scope) -> Scope {
    var scope = scope.with([])
    scope.mayHaveMore = false
    return scope
  }

  /// Reads where rejected records are stored.
  mutating func rejected(_ flow: FieldNodes, in scope: Scope) -> WrittenTarget? {
    guard let value = flow.value(FlowKeys.rejected, in: Self.known(scope)), !value.node.isNull else { return nil }
    if case .scalar = value.node.content { return read(RejectedKeys.path, short: value).map { .file($0) } }
    guard let nodes = open(value, as: .rejected) else { return nil }
    return target(nodes, RejectedKeys.target)
  }

  /// Reads the name of a store that the file declares.
  mutating func storeReference(_ value: FieldValue) -> Located<String>? {
    guard let name = name(value, role: .variable) else { return nil }
    guard let known = value.scope.file.stores, !known.contains(name.value) else { return name }
    return fail(
      .unknownStore, "store '\(name.value)' is not in this file", at: name.range,
      suggestion: nearest(to: name.value, in: known),
      help: known.isEmpty ? "add 'stores: { \(name.value): { sqlite: out/\(name.value).db } }' to the file" : nil)
  }

  /// Reads the name of a table. Its length is checked when the database is known.
  mutating func tableName(_ value: FieldValue) -> Located<Template>? {
    guard let template = filled(value) else { return nil }
    if let text = template.value.constantText, text.lowercased().hasPrefix("reactor_") {
      return fail(
        .invalidTable, "tables whose names begin with 'reactor_' belong to reactor itself", at: value.node.range,
        help: "choose another name")
    }
    return template
  }

  /// Reads the path of the file for rejected records, whose format is JSON Lines.
  mutating func rejectedPath(_ value: FieldValue) -> Located<Template>? {
    guard !value.node.isNull, let template = outputPath(value) else { return nil }
    guard case .text(let text)? = template.value.segments.last else { return template }
    if text.hasSuffix(".jsonl") { return template }
    return fail(
      .invalidOutput, "the file of rejected records is not JSON Lines", at: value.node.range,
      help: "end the path with '.jsonl'")
  }
}

/// A result in several places.
extension FlowReader {
  /// Reads a list of places: the first one with all keys of `persistence`, the others with those of a place.
  mutating func places(
    _ value: FieldValue, _ defaults: FlowDefaults, _ schema: Reading<SchemaDeclaration>
  ) -> ResultStorage<WrittenTarget>? {
    guard let places = elements(of: value), let first = places.first else {
      return fail(
        .missingValue, "'persistence' has no place", at: value.node.range,
        help: "name a file or a table, or write 'persistence: disabled'")
    }
    for place in places where place.word == "disabled" {
      return fail(
        .contradiction, "'disabled' cannot be one of several places", at: place.node.range,
        help: "leave it out, or write 'persistence: disabled'")
    }
    let persistence = persistence(first, defaults, schema)
    let copies = places.dropFirst().map { copy($0, schema) }
    guard var persistence, !copies.contains(where: { $0 == nil }) else { return nil }
    persistence.targets += copies.compactMap { $0 }
    return persistence
  }

  /// Reads a place that gets the records of the first one.
  private mutating func copy(_ value: FieldValue, _ schema: Reading<SchemaDeclaration>) -> WrittenTarget? {
    var target: WrittenTarget?
    if value.node.isScalar {
      let scope = pathScope(value.scope, schema)
      let place = FieldValue(spec: PersistenceKeys.path, node: value.node, key: value.key, scope: scope)
      target = read(PersistenceKeys.path, short: place).map { .file($0) }
    } else {
      guard let nodes = open(value, as: .persistence) else { return nil }
      let ofResult: [any FieldSpec] = [
        PersistenceKeys.mode, PersistenceKeys.duplicates, PersistenceKeys.deleteWhen, PersistenceKeys.expiresAfter,
        PersistenceKeys.failOnSaveError, PersistenceKeys.flatten,
      ]
      for field in ofResult {
        guard let key = nodes.key(field) else { continue }
        return fail(
          .misplacedKey, "'\(field.name)' belongs to the first place, whose records this one gets", at: key,
          help: "write it in the first element of 'persistence'")
      }
      let isFrozen = read(PersistenceKeys.contract, of: nodes) == "freeze"
      target = self.target(
        nodes, PersistenceKeys.target, isFrozen: isFrozen, path: pathScope(nodes.scope, schema))
      if case .table(var table)? = target, read(PersistenceKeys.history, of: nodes) ?? false {
        checkHistory(nodes, .absent, schema)
        table.keepsVersions = true
        target = .table(table)
      }
    }
    check(target, schema)
    if case .table(let table)? = target, let schema = schema.value, !schema.key.isEmpty {
      checkKey(of: schema, at: table.name.range)
    }
    return target
  }
}
