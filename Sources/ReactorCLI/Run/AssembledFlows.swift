package import BatchRunner
package import SourceDiagnostics

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
