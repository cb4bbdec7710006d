package import FlowRuntime
package import FlowSpec

/// What flows are assembled with.
package struct AssemblyOrder: Sendable {
  /// Where a run may take results from.
  package enum Mode: Sendable, Hashable {
    case persistenceFirst
    case revalidate
    case fresh
    case offline
  }

  /// Where a run may take results from.
  package var mode = Mode.persistenceFirst
  /// The folder of the results.
  package var root = "."
  /// Replaces every flow's timeout, in seconds.
  package var timeout: Double?
  /// The maximum of rejected records of a response; nil is any number.
  package var allowedPrune: AllowedPrune?
  /// Whether flows with a cursor begin anew and replace their results.
  package var isFullRefresh = false
  /// Where flows with a cursor begin, whatever their stored position.
  package var since: String?
  /// Whether flows ask again only for items that failed and records that were rejected.
  package var isRetryingRejected = false
  /// Values given for variables.
  package var overrides = VariableOverrides()
  /// Secrets by name.
  package var secrets: [String: Secret] = [:]
  /// What replaces the network; nil for real connections.
  package var fixtures: FixtureSession?
  /// Is called for each secret that is obtained during the run, before it is used.
  package var learn: @Sendable (String) -> Void = { _ in }
  /// Ids of flows that are not selected and run as parents of others.
  package var added: Set<String> = []
  /// Ids of all parent flows, also of children that are not selected.
  package var parents: Set<String> = []
  /// All environment variables.
  package var environment: [String: String] = [:]

  /// The defaults.
  package init() {}
}
