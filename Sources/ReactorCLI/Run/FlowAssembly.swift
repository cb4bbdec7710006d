package import FlowSpec

/// Makes declared flows runnable. Only through this protocol does the command line access connections and results.
package protocol FlowAssembly: Sendable {
  /// Assembles flows; opens no connection or file.
  func assemble(_ flows: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows
}
