public import Expressions
public import JSONSyntax
public import Reshape

/// What a flow does with the records of a response, except mapping them with its schema.
public struct MappingDeclaration: Sendable {
  /// A program of the jq subset.
  public struct Program: Sendable {
    /// The program.
    public var program: Located<Reshape>
    /// Whether it gets each record instead of the whole response.
    public var isForEach: Bool
  }

  /// The changes to each record before it is mapped, in the order of these properties.
  public struct Change: Sendable {
    /// How inner objects are flattened: the separator of the names, and the depth; nil means all levels.
    public var flatten: (separator: String, depth: Int?)?
    /// New names of members, in the order written; the steps end with the name that a member has.
    public var rename: [(path: Located<JSONPath>, steps: [JSONPath.Step], name: String)] = []
    /// What is removed.
    public var remove: [Located<JSONPath>] = []
    /// What is added, in the order written.
    public var add: [(name: Located<String>, value: Located<TemplatedJSON>)] = []
  }

  /// A program that reshapes the response or its records.
  public var reshape: Program?
  /// The changes to each record.
  public var change: Change?
  /// The condition on records.
  public var condition: Located<Expression>?
  /// The path to the records if it contains variables; `records` is nil then.
  public var records: Located<Template>?
}
