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
  /// The folder below which results are kept.
  package var root = "."
  /// Replaces every flow's timeout, in seconds.
  package var timeout: Double?
  /// How many records of a response may be rejected at most; nil is any number.
  package var allowedPrune: AllowedPrune?
  /// Whether flows with a cursor begin anew and replace their results.
  package var isFullRefresh = false
  /// Where flows with a cursor begin, whatever they remember.
  package var since: String?
  /// Whether flows ask again only for items that failed and records that were rejected.
  package var isRetryingRejected = false
  /// Values given for variables.
  package var overrides = VariableOverrides()
  /// Secrets by name.
  package var secrets: [String: Secret] = [:]
  /// What stands in for the network, where something does.
  package var fixtures: FixtureSession?
  /// Is told secrets that are obtained while flows run, before they are used.
  package var learn: @Sendable (String) -> Void = { _ in }
  /// Ids of flows that are not selected and come along because others take their records.
  package var added: Set<String> = []
  /// Ids of flows whose records others take, also where those others are not selected.
  package var parents: Set<String> = []
  /// All environment variables.
  package var environment: [String: String] = [:]

  /// The defaults.
  package init() {}
}
