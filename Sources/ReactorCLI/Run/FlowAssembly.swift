package import BatchRunner
package import FlowSpec
package import SourceDiagnostics

/// Makes runnable flows of declared ones: the command line's only way to connections and results.
package protocol FlowAssembly: Sendable {
  /// Assembles flows; opens nothing.
  func assemble(_ flows: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows
}

/// What flows are assembled with.
package struct AssemblyOrder: Sendable {
  /// Where a run may take results from.
  package enum Mode: Sendable, Hashable {
    case persistenceFirst
    case fresh
    case offline
  }

  /// Where a run may take results from.
  package var mode = Mode.persistenceFirst
  /// The folder below which results are kept.
  package var root = "."
  /// Replaces every flow's timeout, in seconds.
  package var timeout: Double?
  /// Values given for variables.
  package var overrides = VariableOverrides()
  /// Secrets by name.
  package var secrets: [String: Secret] = [:]
  /// All environment variables.
  package var environment: [String: String] = [:]

  /// The defaults.
  package init() {}
}

/// Flows that can run, and what is wrong with the others.
package struct AssembledFlows: Sendable {
  /// What a flow would do, as headings and texts.
  package struct Explanation: Sendable {
    /// The flow's id.
    package let id: String
    /// In the order in which the flow works.
    package let items: [(heading: String, text: String)]

    /// Describes a flow.
    package init(id: String, items: [(heading: String, text: String)]) {
      self.id = id
      self.items = items
    }
  }

  /// In the order of the declarations.
  package var flows: [RunnableFlow]
  /// Problems.
  package var diagnostics: DiagnosticBag
  /// What the flows would do; worked out when called.
  package var explanations: @Sendable () -> [Explanation]
  /// Ends all connections; the flows cannot run afterwards.
  package var close: @Sendable () async -> Void

  /// Joins the parts.
  package init(
    flows: [RunnableFlow], diagnostics: DiagnosticBag = DiagnosticBag(),
    explanations: @escaping @Sendable () -> [Explanation] = { [] }, close: @escaping @Sendable () async -> Void = {}
  ) {
    self.flows = flows
    self.diagnostics = diagnostics
    self.explanations = explanations
    self.close = close
  }
}
