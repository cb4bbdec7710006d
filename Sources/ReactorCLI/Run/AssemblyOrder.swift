package import FlowModel
package import FlowRuntime
package import FlowSpec
package import Storage

/// The settings with which flows are assembled.
package struct AssemblyOrder: Sendable {
  /// What this run requests from servers.
  package var demand = FreshDemand.usual
  /// The folder of the results.
  package var root = "."
  /// The folder of input files and of single-use tokens; nil when it is the folder of the results.
  package var inputs: String?
  /// The maximum number of rejected records of each flow, instead of the value in its file; nil to use the file's
  /// value.
  package var maxRejected: CountOrShare?
  /// What a flow does if another run of the same flow is in progress.
  package var otherRuns = OtherRunPolicy.fail
  /// This process's part in a run of several processes; nil when no other process takes part.
  package var membership: (any RunMembership)?
  /// The trace of which the requests are a part.
  package var tracing = RunTracing()
  /// Stores jobs and single-use tokens; nil for files below the root.
  package var state: (any StateStore)?
  /// The present time in expressions, in seconds since 1970; nil for that of this process.
  package var present: Int64?
  /// The position from which flows with a cursor begin. It overrides their stored position.
  package var since: String?
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

  /// Creates settings with the defaults.
  package init() {}
}
