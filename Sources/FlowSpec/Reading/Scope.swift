import Expressions

/// The names that templates and expressions may use in a part of a file.
struct Scope: Sendable {
  /// The names that the file declares.
  let file: FileScope
  /// The names whose values are known only while the flow runs.
  var names: [ExpressionType.Member] = []
  /// Whether an unknown key may declare more names. Unknown names are then not reported.
  var mayHaveMore = false

  /// A scope without names.
  static let nothing = Scope(file: FileScope())

  /// The same scope, in which these names replace the names whose values are known only while the flow runs.
  func with(_ names: [ExpressionType.Member]) -> Scope {
    var scope = self
    scope.names = names
    return scope
  }

  /// The same scope with more names that are known only while the flow runs. The new names have priority.
  func adding(_ more: ExpressionType.Member...) -> Scope { with(more + names) }

  /// The same scope without one of the names that are known only while the flow runs.
  func without(_ name: String) -> Scope { with(names.filter { $0.name != name }) }

  /// The names that an expression may use, with their types.
  var type: ExpressionScopeType {
    var scope = file.type
    scope.names += names
    return scope
  }
}

/// The names that a file declares for all of its flows.
final class FileScope: Sendable {
  /// The variables that the file declares.
  let variables: DeclaredVariables
  let secrets: Set<String>
  /// Whether some declarations of variables or secrets have errors. Unknown names are then not reported.
  let hasInvalidNames: Bool
  /// The schemas; nil for requests that send no records, such as requests of a login.
  let schemas: SchemaSet?
  /// The names of the stores; nil where unknown names are not reported, because some stores could not be read.
  let stores: [String]?
  /// The names that expressions of all flows may use, with their types.
  let type: ExpressionScopeType

  init(
    variables: DeclaredVariables = DeclaredVariables(), secrets: Set<String> = [], hasInvalidNames: Bool = false,
    schemas: SchemaSet? = nil, stores: [String]? = []
  ) {
    self.stores = stores
    self.variables = variables
    self.secrets = secrets
    self.hasInvalidNames = hasInvalidNames
    self.schemas = schemas
    var type = ExpressionScopeType()
    type["vars"] = .object(ExpressionType.Object(variables.members))
    type["secrets"] = .object(ExpressionType.Object(secrets.sorted().map { ExpressionType.Member($0, .string) }))
    type["env"] = .map(.string)
    self.type = type
  }

  /// A copy of the file's names with the given schemas.
  func with(schemas: SchemaSet?) -> FileScope { with(schemas: schemas, stores: stores) }

  /// A copy of the file's names with the given schemas and stores.
  func with(schemas: SchemaSet?, stores: [String]?) -> FileScope {
    FileScope(
      variables: variables, secrets: secrets, hasInvalidNames: hasInvalidNames, schemas: schemas, stores: stores)
  }
}
