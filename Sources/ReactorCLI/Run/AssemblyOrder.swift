package import FlowModel
package import FlowRuntime
package import FlowSpec

/// The settings with which flows are assembled.
package struct AssemblyOrder: Sendable {
  /// The sources from which a run may read results.
  package enum Mode: Sendable, Hashable {
    case persistenceFirst
    case revalidate
    case fresh
    case offline
  }

  /// The sources from which this run may read results.
  package var mode = Mode.persistenceFirst
  /// The folder of the results.
  package var root = "."
  /// The timeout that replaces every flow's timeout, in seconds.
  package var timeout: Double?
  /// The maximum number of rejected records of each flow, in place of the value in its file; nil to use the file's
  /// value.
  package var maxRejected: CountOrShare?
  /// What a flow does if another run of the same flow is in progress.
  package var otherRuns = OtherRunPolicy.fail
  /// Whether flows with a cursor restart from the beginning and replace their results.
  package var isFullRefresh = false
  /// The position from which flows with a cursor begin. It overrides their stored position.
  package var since: String?
  /// Whether flows only repeat requests for items that failed and for records that were rejected.
  package var isRetryingRejected = false
  /// Values that the command line gives to variables.
  package var overrides = VariableOverrides()
  /// Secrets by name.
  package var secrets: [String: Secret] = [:]
  /// The session that replaces the network; nil for real connections.
  package var fixtures: FixtureSession?
  /// Called for each secret that is obtained during the run, before the secret is used.
  package var learn: @Sendable (String) -> Void = { _ in }
  /// Ids of flows that are not selected, but run as parents of selected flows.
  package var added: Set<String> = []
  /// Ids of all parent flows, also of parents whose children are not selected.
  package var parents: Set<String> = []
  /// All environment variables.
  package var environment: [String: String] = [:]

  /// Creates an order with the defaults.
  package init() {}
}
