package import BatchRunner
package import FlowRuntime
package import ReactorCore
package import SourceDiagnostics

/// Flows that can run, and the problems of the flows that cannot.
package struct AssembledFlows: Sendable {
  /// A description of what a flow would do, as headings and texts.
  package struct Explanation: Sendable {
    /// The flow's id.
    package let id: String
    /// The headings with their texts, in the order in which the flow works.
    package let items: [(heading: String, text: String)]
    /// The first action of a run, for one line of a dry run.
    package let step: FirstStep

    /// Creates the description of a flow.
    package init(id: String, items: [(heading: String, text: String)], step: FirstStep = FirstStep(.ask)) {
      self.id = id
      self.items = items
      self.step = step
    }
  }

  /// The first action that a run would take with a flow.
  package struct FirstStep: Sendable, Hashable {
    /// How a flow can begin.
    package enum Action: String, Sendable, Hashable, CaseIterable {
      /// The persisted result is used.
      case use
      /// A request is sent to the server.
      case ask
      /// No persisted result can be used, and no request may be sent.
      case fail
    }

    /// The kind of the first action.
    package var action: Action
    /// Method and URL, with secrets masked.
    package var request: String
    /// The kind of authorization, in a word; nil without credentials.
    package var auth: String?
    /// The state of the persisted result, in words.
    package var persisted: String
    /// The position from which a flow with a cursor begins, in words; nil for other flows.
    package var bound: String?
    /// The time at which the persisted result expires, RFC 3339; nil when it is not used or does not expire.
    package var expires: String?

    /// Describes what the flow does first: whether it uses its persisted result, and which request it sends otherwise.
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

  /// A part of a flow that uses a database, and why it would fail.
  package struct Rehearsal: Sendable {
    /// The flow's id.
    package let flow: String
    package let part: DeclaredFlow.StoredPart
    /// Why the part would fail; nil when it would not.
    package let failure: ReactorError?
  }

  /// The flows that can run, in the order of the declarations.
  package var flows: [RunnableFlow]
  /// The id of the run, which no other run has.
  package var run = ""
  /// Tells the flows when the run ends.
  package var end = RunEnd()
  /// The problems of all flows.
  package var diagnostics: DiagnosticBag
  /// The stored positions of flows with a cursor, by their ids.
  package var cursors: [(id: String, cursor: CursorAccess)]
  /// Describes what the flows would do; sends no request.
  package var explanations: @Sendable () async -> [Explanation]
  /// Asks the databases of the flows whether they would accept their loads and queries; changes nothing.
  package var rehearsal: @Sendable () async -> [Rehearsal] = { [] }
  /// Closes all connections; the flows cannot run afterwards.
  package var close: @Sendable () async -> Void

  /// Combines the parts of an assembly.
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
