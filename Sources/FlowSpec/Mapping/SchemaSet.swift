import SourceDiagnostics

/// Resolved schemas by name: those of a file, then those of its `schemas` folder.
struct SchemaSet {
  var schemas: [String: SchemaDeclaration] = [:]
  /// The names of schemas that exist but cannot be used, because an error in them was reported.
  var faulty: Set<String> = []
  /// All names of this set, in order.
  var names: [String] = []
  /// The size of each schema: its number of fields, including all nested fields, and its depth.
  var sizes: [String: (fields: Int, depth: Int)] = [:]
  /// Whether some schemas could not be read. Unknown names are then not errors.
  var mayHaveMore = false
  private let outerSet: [SchemaSet]

  init(outer: SchemaSet? = nil) { outerSet = outer.map { [$0] } ?? [] }

  /// All names of this set, then those of the outer set.
  var allNames: [String] { names + outerSet.flatMap(\.allNames) }

  /// Whether neither this set nor the outer set contains a schema.
  var isEmpty: Bool { names.isEmpty && outerSet.allSatisfy(\.isEmpty) }

  /// Finds a schema by its name.
  func lookUp(_ name: String) -> SchemaResolver.Outcome {
    if let schema = schemas[name] { return .schema(schema) }
    if faulty.contains(name) { return .faulty }
    let outcome = outerSet.first?.lookUp(name) ?? .unknown
    if case .unknown = outcome, mayHaveMore { return .faulty }
    return outcome
  }

  /// The size of the schema with this name; nil if it is unknown.
  func size(of name: String) -> (fields: Int, depth: Int)? { sizes[name] ?? outerSet.first?.size(of: name) }
}
