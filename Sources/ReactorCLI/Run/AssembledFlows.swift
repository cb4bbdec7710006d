package import BatchRunner
package import FlowRuntime
package import SourceDiagnostics

/// Flows that can run, and the problems of the others.
package struct AssembledFlows: Sendable {
  /// What a flow would do, as headings and texts.
  package struct Explanation: Sendable {
    /// The flow's id.
    package let id: String
    /// In the order in which the flow works.
    package let items: [(heading: String, text: String)]
    /// What a run would do first, in one line of a dry run.
    package let step: FirstStep

    /// Describes a flow.
    package init(id: String, items: [(heading: String, text: String)], step: FirstStep = FirstStep(.ask)) {
      self.id = id
      self.items = items
      self.step = step
    }
  }

  /// What a run would do with a flow first.
  package struct FirstStep: Sendable, Hashable {
    /// How a flow can begin.
    package enum Action: String, Sendable, Hashable, CaseIterable {
      /// The persisted result is used.
      case use
      /// The server is asked.
      case ask
      /// No persisted result can be used, and no request may be sent.
      case fail
    }

    /// Which.
    package var action: Action
    /// Method and URL, secrets masked.
    package var request: String
    /// How it is authorized, in a word; nil without credentials.
    package var auth: String?
    /// The persisted state, in words.
    package var persisted: String
    /// Where a flow with a cursor begins, in words; nil for others.
    package var bound: String?
    /// When the persisted result expires, RFC 3339; nil when it is not used or does not expire.
    package var expires: String?

    /// Describes a step.
    package init(
      _ action: Action, request: String = "", auth: String? = nil, persisted: String = "",
      bound: String? = nil, expires: String? = nil
    ) {
      self.action = action
      self.request = request
      self.auth = auth
      self.persisted = persisted
      self.bound = bound
      self.expires = expires
    }
  }

  /// In the order of the declarations.
  package var flows: [RunnableFlow]
  /// Problems.
  package var diagnostics: DiagnosticBag
  /// The stored positions of flows with a cursor, by their ids.
  package var cursors: [(id: String, cursor: CursorAccess)]
  /// What the flows would do; sends no request.
  package var explanations: @Sendable () async -> [Explanation]
  /// Ends all connections; the flows cannot run afterwards.
  package var close: @Sendable () async -> Void

  /// Joins the parts.
  package init(
    flows: [RunnableFlow], diagnostics: DiagnosticBag = DiagnosticBag(),
    cursors: [(id: String, cursor: CursorAccess)] = [],
    explanations: @escaping @Sendable () async -> [Explanation] = { [] },
    close: @escaping @Sendable () async -> Void = {}
  ) {
    self.flows = flows
    self.diagnostics = diagnostics
    self.cursors = cursors
    self.explanations = explanations
    self.close = close
  }
}
