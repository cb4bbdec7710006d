public import Expressions
public import JSONSyntax

/// What is changed in each record before it is mapped, in this order: members are flattened, renamed, removed, added.
public struct RecordChange: Sendable, Hashable {
  /// Members of inner objects become members of the record.
  public struct Flatten: Sendable, Hashable {
    /// What stands between the names that are joined.
    public var separator: String
    /// How many levels of objects are opened; nil means all.
    public var depth: Int?

    /// Builds it.
    public init(separator: String = "_", depth: Int? = nil) {
      self.separator = separator
      self.depth = depth
    }
  }

  /// A member that gets another name at the same position.
  public struct Rename: Sendable, Hashable {
    /// The path to the member; the last step is its name.
    public var steps: [JSONPath.Step]
    /// Its new name.
    public var name: String

    /// Builds it.
    public init(_ steps: [JSONPath.Step], to name: String) {
      self.steps = steps
      self.name = name
    }
  }

  /// How inner objects are opened; nil leaves them.
  public var flatten: Flatten?
  /// New names, given one after the other.
  public var rename: [Rename]
  /// What is removed: everything that one of the paths selects.
  public var remove: [JSONPath]
  /// Members that are set, one after the other.
  public var add: [ExpressionDocument.Member]

  /// Builds a change.
  public init(
    flatten: Flatten? = nil, rename: [Rename] = [], remove: [JSONPath] = [], add: [ExpressionDocument.Member] = []
  ) {
    self.flatten = flatten
    self.rename = rename
    self.remove = remove
    self.add = add
  }
}
