internal import Fixtures

/// The settings with which a command uses fixtures.
struct FixtureSettings: Sendable {
  /// Which goldens a run writes.
  enum Update: String, Sendable, CaseIterable {
    /// No golden is written.
    case none
    /// Only missing goldens are written.
    case new
    /// All goldens that differ are written.
    case all
  }

  /// The consequence of a violated policy.
  enum Policy: String, Sendable, CaseIterable {
    /// The run ends with another exit code.
    case fail
    /// A warning is printed.
    case warn
    /// The violation is ignored.
    case ignore
  }

  /// The folder of all fixtures.
  var folder = "fixtures"
  /// The handling of requests: replay, record, or both.
  var mode = FlowTape.Mode.none
  /// Which goldens the command writes.
  var update = Update.none
  /// How many records a replay retains to show them, instead of a comparison with the goldens; nil for a comparison.
  var retainedRecords: Int?
  /// Whether a differing result is stored beside its golden until it is accepted or rejected.
  var keepsPending = true
  /// Whether recordings are written; otherwise they are only compared.
  var writesRecordings = true
  /// Whether recorded exchanges that no request uses stay in the cassette.
  var keepsUnused = false
  /// Whether a flow that did not pass is recorded too.
  var recordsFailures = false
  /// The consequence of recorded exchanges that no request uses.
  var unused = Policy.warn
  /// The consequence of recordings that are too old.
  var stale = Policy.warn
  /// The maximum number of differences that are listed for a flow; nil lists all.
  var maximumDifferences: Int? = 10
  /// The maximum number of lines for these differences; nil means no limit.
  var maximumLines: Int? = 10
  /// The current time, in seconds since 1970.
  var now: Int64 = 0
}
