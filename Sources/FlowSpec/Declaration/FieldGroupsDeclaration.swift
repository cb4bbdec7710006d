public import JSONSyntax
public import SourceDiagnostics

/// The declaration of requests that list some of the fields each, and whose records are joined.
public struct FieldGroupsDeclaration: Sendable {
  /// The source location of the declaration.
  public var range: SourceRange
  /// The templates of the names; nil for the fields of the schema that are read from records.
  public var names: [Located<Template>]?
  /// The templates of the names that are in each group; nil for the default.
  public var always: [Located<Template>]?
  /// The fields of the schema's key, which are in each group by default.
  public var keyFields: [String] = []
  /// The maximum number of names in one request; nil for no limit.
  public var max: Int?
  /// The maximum length of the joined names of one request, in Unicode scalars; nil for no limit.
  public var maxLength: Int?
  /// The paths of the members that identify a record as received, at least one. They have only names.
  public var key: [[JSONPath.Step]] = []
  /// Whether a record that a response does not have is kept.
  public var keepsMissing = false

  /// Creates a declaration with only its source location.
  init(range: SourceRange) { self.range = range }

  /// All templates of the declaration.
  var templates: [Template] { ((names ?? []) + (always ?? [])).map(\.value) }
}
