package import Expressions
package import FlowModel
package import JSONSyntax
package import Reshape

/// The operations of a flow on the records of a response, except mapping by its schema.
package struct MappingDeclaration: Sendable {
  /// A program in the supported subset of jq.
  package struct Program: Sendable {
    /// The program.
    package var program: Located<Reshape>
    /// Whether the program is run for each record instead of once for the whole response.
    package var isForEach: Bool
  }

  /// The changes to each record before it is mapped. They are applied in the order of these properties.
  package struct Change: Sendable {
    /// The options for flattening inner objects: the separator between names, and the depth. A nil depth means all levels.
    package var flatten: (separator: String, depth: Int?)?
    /// The new names of members, in the order written. The last element of `steps` is the member's old name.
    package var rename: [(path: Located<JSONPath>, steps: [JSONPath.Step], name: String)] = []
    /// The paths of members to remove.
    package var remove: [Located<JSONPath>] = []
    /// The members to add, in the order written.
    package var add: [(name: Located<String>, value: Located<TemplatedJSON>)] = []
  }

  /// The program that reshapes the response or its records.
  package var reshape: Program?
  /// The changes to each record.
  package var change: Change?
  /// The condition that a record must meet to be kept.
  package var condition: Located<Expression>?
  /// The path to the records if the path contains variables, else nil. With such a path, the flow's `records` is nil.
  package var records: Located<Template>?
}
