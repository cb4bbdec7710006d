import FlowModel
import SourceDiagnostics
import YAMLSyntax

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
