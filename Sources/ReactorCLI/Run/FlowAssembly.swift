package import FlowSpec

/// Makes declared flows runnable: the only access of the command line to connections and results.
package protocol FlowAssembly: Sendable {
  /// Assembles flows; opens nothing.
  func assemble(_ flows: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows
}
