public import Expressions
public import JSONSyntax
public import Reshape

/// What a flow does with the records of a response besides mapping them through its schema.
public struct MappingDeclaration: Sendable {
  /// A program of the jq subset.
  public struct Program: Sendable {
    /// The program.
    public var program: Located<Reshape>
    /// Whether it gets each record instead of the whole response.
    public var isForEach: Bool
  }

  /// What is changed in each record before it is mapped, in the order of these properties.
  public struct Change: Sendable {
    /// How inner objects are opened: what joins the names, and how many levels; nil levels mean all.
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
  /// What is changed in each record.
  public var change: Change?
  /// What a record must satisfy to be kept.
  public var condition: Located<Expression>?
  /// The place of the records where variables are part of it; `records` is nil then.
  public var records: Located<Template>?
}
