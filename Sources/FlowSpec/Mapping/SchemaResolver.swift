import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

/// Resolves the references between the schemas of one set of names. Each schema is resolved once.
struct SchemaResolver {
  /// The result of resolving a name.
  enum Outcome {
    case schema(SchemaDeclaration)
    /// The schema exists, but an error in it was reported.
    case faulty
    /// No schema has this name.
    case unknown
  }

  /// The maximum depth of nested schemas. It ensures that recursive functions do not run out of stack.
  static let depth = 64
  /// The maximum number of fields in a schema, including all nested fields.
  static let fieldCount = 20_000

  private(set) var diagnostics = DiagnosticBag()
  private var raws: [String: RawSchema] = [:]
  private(set) var names: [String] = []
  private var outcomes: [String: (outcome: Outcome, fields: Int, depth: Int)] = [:]
  /// The names of the schemas that are being resolved. Each schema is nested in the schema before it.
  private var stack: [String] = []
  /// The schemas in which names are looked up if this set does not contain them.
  private let outer: SchemaSet?
  /// A reader for defaults, so that they are read as in a file. Its diagnostics are moved to `diagnostics`.
  private var reader: FlowReader

  init(_ schemas: [RawSchema], outer: SchemaSet? = nil, file: SourceFile) {
    self.outer = outer
    reader = FlowReader(file)
    for schema in schemas {
      if let first = raws[schema.name] {
        diagnostics.report(
          Diagnostic(
            .duplicateSchema, "schema '\(schema.name)' is defined twice", at: schema.range,
            notes: [Diagnostic.Note("the schema is already defined here", at: first.range)],
            help: "rename one of them"))
      } else {
        raws[schema.name] = schema
        names.append(schema.name)
      }
    }
  }

  /// Resolves all schemas.
  mutating func resolveAll() -> SchemaSet {
    var set = SchemaSet(outer: outer)
    for name in names {
      let outcome = outcome(of: name)
      if case .schema(let schema) = outcome { set.schemas[name] = schema } else { set.faulty.insert(name) }
      if let known = outcomes[name] { set.sizes[name] = (known.fields, known.depth) }
    }
    set.names = names
    return set
  }

  /// Resolves an inline schema, which belongs to a flow and not to a set of names.
  mutating func resolve(inline raw: RawSchema) -> SchemaDeclaration? {
    let before = diagnostics.diagnostics.count
    guard let (fields, _, _) = fields(raw.fields, ofRecord: true), diagnostics.diagnostics.count == before,
      !raw.hasError
    else {
      return nil
    }
    return SchemaDeclaration(
      name: raw.name, range: raw.range, description: raw.description, key: raw.key, fields: fields,
      isDescribed: raw.isDescribed, origin: raw.origin)
  }

  private mutating func outcome(of name: String) -> Outcome {
    if let known = outcomes[name] { return known.outcome }
    guard let raw = raws[name] else { return .unknown }
    let before = diagnostics.diagnostics.count
    stack.append(name)
    let built = fields(raw.fields, ofRecord: true)
    stack.removeLast()
    let isRight = built != nil && diagnostics.diagnostics.count == before && !raw.hasError
    let schema = SchemaDeclaration(
      name: raw.name, range: raw.range, description: raw.description, key: raw.key, fields: built?.fields ?? [])
    outcomes[name] = (isRight ? .schema(schema) : .faulty, built?.count ?? 0, built?.depth ?? 0)
    return isRight ? .schema(schema) : .faulty
  }

  /// Resolves the fields of a record, or of an object inside a record.
  private mutating func fields(
    _ raws: [RawSchema.Field], ofRecord isRecord: Bool
  ) -> (fields: [FieldDeclaration], count: Int, depth: Int)? {
    var fields: [FieldDeclaration] = []
    var count = 0
    var depth = 0
    var isWhole = true
    for raw in raws {
      if let value = raw.computed, !isRecord {
        report(nested: value.range)
        isWhole = false
        continue
      }
      guard let (type, inner, below) = type(raw.type) else {
        isWhole = false
        continue
      }
      count += 1 + inner
      depth = max(depth, 1 + below)
      guard count <= Self.fieldCount, depth <= Self.depth else {
        diagnostics.report(
          Diagnostic(
            .tooLarge, "with the schemas it refers to, field '\(raw.name)' makes the schema too large",
            at: raw.range, help: "at most \(Self.fieldCount) fields and \(Self.depth) nested levels are allowed"))
        return nil
      }
      // The default of a field with an inferred type is read later.
      guard let missing = raw.isInferred && raw.defaultValue != nil ? .optional : missing(raw, type) else {
        isWhole = false
        continue
      }
      fields.append(
        FieldDeclaration(
          name: raw.name, range: raw.range, description: raw.description, from: raw.from, type: type, missing: missing,
          coerces: raw.coerces, value: raw.computed))
    }
    guard isWhole else { return nil }
    if raws.contains(where: { $0.computed != nil }) {
      let inferred = Set(raws.filter(\.isInferred).map(\.name))
      var computed = ComputedTypes(fields, inferred: inferred)
      computed.resolve()
      diagnostics.merge(computed.diagnostics)
      guard !computed.diagnostics.hasErrors else { return nil }
      fields = computed.fields
      for (index, raw) in raws.enumerated() where inferred.contains(raw.name) {
        // The inferred type is now known, so the default can be read.
        guard let missing = missing(raw, fields[index].type) else { return nil }
        fields[index].missing = missing
      }
    }
    return (fields, count, depth)
  }

  private mutating func report(nested range: SourceRange, notes: [Diagnostic.Note] = []) {
    diagnostics.report(
      Diagnostic(
        .nestedValue, "a field inside another field cannot be computed", at: range, notes: notes,
        help: "compute a field of the record from it: value: \"{{ record.outer.inner }}\""))
  }

  private mutating func missing(_ raw: RawSchema.Field, _ type: TypeDeclaration) -> MissingDeclaration? {
    if raw.isOptional { return .optional }
    guard let value = raw.defaultValue else { return .required }
    reader.diagnostics = DiagnosticBag()
    let json = reader.defaultValue(value.node, of: type, in: value)
    diagnostics.merge(reader.diagnostics)
    return json.map { .default(Located($0, at: value.node.range)) }
  }

  private mutating func type(_ kind: RawSchema.Kind) -> (TypeDeclaration, count: Int, depth: Int)? {
    switch kind {
    case .plain(let type):
      return (type, 0, 0)
    case .list(let inner):
      return type(inner).map { (.list($0.0), $0.count, $0.depth) }
    case .object(let raws):
      return fields(raws, ofRecord: false).map { (.object($0.fields), $0.count, $0.depth) }
    case .inferred:
      return (.json, 0, 0)
    case .reference(let name):
      return reference(name)
    }
  }

  private mutating func reference(_ name: Located<String>) -> (TypeDeclaration, count: Int, depth: Int)? {
    if let index = stack.firstIndex(of: name.value) {
      reportRecursion(from: index, name)
      return nil
    }
    guard stack.count < Self.depth else {
      diagnostics.report(
        Diagnostic(
          .tooLarge, "schemas are nested more than \(Self.depth) levels deep here", at: name.range,
          help: "declare inner parts as 'json'"))
      return nil
    }
    guard raws[name.value] != nil else { return outerReference(name) }
    guard case .schema(let schema) = outcome(of: name.value), holdsNoComputed(schema, at: name) else { return nil }
    let size = outcomes[name.value]
    return (.object(schema.fields), size?.fields ?? 0, size?.depth ?? 0)
  }

  private mutating func holdsNoComputed(_ schema: SchemaDeclaration, at name: Located<String>) -> Bool {
    guard let field = schema.fields.first(where: { $0.value != nil }) else { return true }
    report(nested: name.range, notes: [Diagnostic.Note("'\(field.name)' is computed here", at: field.range)])
    return false
  }

  private mutating func outerReference(_ name: Located<String>) -> (TypeDeclaration, count: Int, depth: Int)? {
    switch outer?.lookUp(name.value) ?? .unknown {
    case .schema(let schema):
      guard holdsNoComputed(schema, at: name) else { return nil }
      let size = outer?.size(of: name.value)
      return (.object(schema.fields), size?.fields ?? 0, size?.depth ?? 0)
    case .faulty:
      return nil
    case .unknown:
      var set = SchemaSet(outer: outer)
      set.names = names
      reader.diagnostics = DiagnosticBag()
      reader.reportUnknownSchema(name, in: set)
      diagnostics.merge(reader.diagnostics)
      return nil
    }
  }

  private mutating func reportRecursion(from index: Int, _ name: Located<String>) {
    let way = stack[index...] + [name.value]
    diagnostics.report(
      Diagnostic(
        .recursion,
        "schema '\(name.value)' contains itself" + (way.count > 2 ? ": \(way.joined(separator: " → "))" : ""),
        at: name.range,
        notes: raws[name.value].map { [Diagnostic.Note("the schema is defined here", at: $0.range)] } ?? [],
        help: "declare the inner part as 'json', or declare each level that occurs"))
  }
}
