public import JSONSyntax
public import SourceDiagnostics

/// The names of the fields that a flow's requests list, and how these names are divided into groups.
///
/// One request is sent for each group. The records of the responses are joined by their key.
public struct FieldGroups: Sendable {
  /// The source location of the key `field_groups`.
  public var range: SourceRange
  /// The names of the fields; nil means those fields of the schema that are read from records.
  ///
  /// The compiler replaces all templates whose values are known before the flow runs with texts.
  public var names: [Template]?
  /// The names that are declared to be in each group; nil if none are declared.
  public var always: [Template]?
  /// The fields of the schema's key, which are in each group by default.
  public var keyFields: [String] = []
  /// The maximum number of names in one group; nil for no limit.
  public var maxNames: Int?
  /// The maximum length of a group's joined names, in bytes of UTF-8; nil for no limit.
  public var maxBytes: Int?
  /// The paths of the members that identify a record as received, at least one. They consist only of names.
  public var key: [[JSONPath.Step]] = []
  /// Whether a record that is missing in the response to one of the groups is kept. If false, it fails the flow.
  public var keepsMissing = false

  /// Creates groups with only their source location.
  public init(range: SourceRange) { self.range = range }

  /// All templates of the groups.
  package var templates: [Template] { (names ?? []) + (always ?? []) }
}
