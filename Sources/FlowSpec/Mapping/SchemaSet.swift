import SourceDiagnostics

/// Schemas by name, references filled in: those of a file, then those of its `schemas` folder.
struct SchemaSet {
  var schemas: [String: SchemaDeclaration] = [:]
  /// Names that exist but cannot be used, because a mistake in them was reported.
  var faulty: Set<String> = []
  /// All names in order.
  var names: [String] = []
  /// How many fields each holds with everything inside it, and how deep they nest.
  var sizes: [String: (fields: Int, depth: Int)] = [:]
  /// Whether a key that is not known may hold more schemas: then nothing is known of names that are not here.
  var mayHaveMore = false
  private let outerSet: [SchemaSet]

  init(outer: SchemaSet? = nil) { outerSet = outer.map { [$0] } ?? [] }

  /// All names, inner ones first.
  var allNames: [String] { names + outerSet.flatMap(\.allNames) }

  /// Whether there is no schema at all.
  var isEmpty: Bool { names.isEmpty && outerSet.allSatisfy(\.isEmpty) }

  /// What a name stands for.
  func lookUp(_ name: String) -> SchemaResolver.Outcome {
    if let schema = schemas[name] { return .schema(schema) }
    if faulty.contains(name) { return .faulty }
    let outcome = outerSet.first?.lookUp(name) ?? .unknown
    if case .unknown = outcome, mayHaveMore { return .faulty }
    return outcome
  }

  /// How large the schema of a name is.
  func size(of name: String) -> (fields: Int, depth: Int)? { sizes[name] ?? outerSet.first?.size(of: name) }
}
