package import FlowSpec

/// Makes runnable flows of declared ones: the command line's only way to connections and results.
package protocol FlowAssembly: Sendable {
  /// Begins to get ready what requests need, while the flows are still read; called before `assemble` or not at all.
  func prepareRequests()

  /// Assembles flows; opens nothing.
  func assemble(_ flows: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows
}
