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

  /// What happens when a policy does not hold.
  enum Policy: String, Sendable, CaseIterable {
    /// The run ends with another exit code.
    case fail
    /// A warning is printed.
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
  /// Whether what differs is stored beside its golden until it is accepted or rejected.
  var keepsPending = true
  /// Whether recordings are written, or only compared.
  var writesRecordings = true
  /// Whether recordings that no request asks for stay in the cassette.
  var keepsUnused = false
  /// Whether a flow that did not pass is recorded too.
  var recordsFailures = false
  /// What happens when recordings are not requested.
  var unused = Policy.warn
  /// What happens when recordings are too old.
  var stale = Policy.warn
  /// Differences that are listed of one flow; nil lists all.
  var maximumDifferences: Int? = 10
  /// The maximum number of their lines; nil is any number.
  var maximumLines: Int? = 10
  /// Seconds since 1970.
  var now: Int64 = 0
}
