internal import Fixtures

/// How fixtures are used by one command.
struct FixtureSettings: Sendable {
  /// Which goldens a run writes.
  enum Update: String, Sendable, CaseIterable {
    /// None.
    case none
    /// Those that are not there.
    case new
    /// All that differ.
    case all
  }

  /// What becomes of a policy that was not kept.
  enum Policy: String, Sendable, CaseIterable {
    /// The run ends with another exit code.
    case fail
    /// It is said.
    case warn
    /// Nothing.
    case ignore
  }

  /// The folder of all fixtures.
  var folder = "fixtures"
  /// What is done with a request.
  var mode = FlowTape.Mode.none
  /// Which goldens are written.
  var update = Update.none
  /// Whether what differs is kept beside its golden until somebody decides.
  var keepsPending = true
  /// Whether what was recorded is written, or only kept to be looked at.
  var writesRecordings = true
  /// Whether recordings that are not asked for any more stay in the cassette.
  var keepsUnused = false
  /// Whether a flow that did not pass is recorded too.
  var recordsFailures = false
  /// What becomes of recordings that no request asked for.
  var unused = Policy.warn
  /// What becomes of recordings that are too old.
  var stale = Policy.warn
  /// Differences that are listed of one flow; nil lists all.
  var mostDifferences: Int? = 10
  /// Lines that these take at most; nil for as many as they take.
  var mostLines: Int? = 10
  /// Seconds since 1970.
  var now: Int64 = 0
}
