package import FlowSpec

/// Makes runnable flows of declared ones: the command line's only way to connections and results.
package protocol FlowAssembly: Sendable {
  /// Assembles flows; opens nothing.
  func assemble(_ flows: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows
}
