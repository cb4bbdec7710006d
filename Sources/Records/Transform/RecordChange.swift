public import Expressions
public import JSONSyntax

/// The changes to each record before mapping, in this order: flatten, rename, remove, add.
public struct RecordChange: Sendable, Hashable {
  /// Makes the members of inner objects members of the record.
  public struct Flatten: Sendable, Hashable {
    /// The text between the joined names.
    public var separator: String
    /// The number of object levels to flatten; nil means all.
    public var depth: Int?

    /// Creates the setting.
    public init(separator: String = "_", depth: Int? = nil) {
      self.separator = separator
      self.depth = depth
    }
  }

  /// A new name for a member; its position remains the same.
  public struct Rename: Sendable, Hashable {
    /// The path to the member; the last step is the member's old name.
    public var steps: [JSONPath.Step]
    /// The new name of the member.
    public var name: String

    /// Creates a rename.
    public init(_ steps: [JSONPath.Step], to name: String) {
      self.steps = steps
      self.name = name
    }
  }

  /// The flatten setting; nil leaves inner objects unchanged.
  public var flatten: Flatten?
  /// The renames, applied one after the other.
  public var rename: [Rename]
  /// The paths to remove: every location that one of the paths selects.
  public var remove: [JSONPath]
  /// The members to set, one after the other.
  public var add: [ExpressionDocument.Member]

  /// Creates a change.
  public init(
    flatten: Flatten? = nil, rename: [Rename] = [], remove: [JSONPath] = [], add: [ExpressionDocument.Member] = []
  ) {
    self.flatten = flatten
    self.rename = rename
    self.remove = remove
    self.add = add
  }
}
