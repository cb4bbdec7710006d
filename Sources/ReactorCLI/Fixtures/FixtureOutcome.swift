internal import Fixtures
internal import JSONSyntax
internal import RunViews

/// What happened to the fixtures of a flow in a run.
struct FixtureOutcome: Sendable {
  /// What happened to the cassette.
  enum Recording: String, Sendable {
    /// It was not written.
    case none
    /// Something in it changed, or it is new.
    case written
    /// The responses are the same as before.
    case unchanged
  }

  /// What happened to the goldens.
  enum Golden: String, Sendable {
    /// They were not read.
    case none
    /// They are equal to the run.
    case equal
    /// They did not exist and were written.
    case written
    /// They do not exist.
    case missing
    /// They differ.
    case differs
    /// They differed and were replaced.
    case replaced
  }

  var requests = 0
  var waits: [Duration] = []
  var recording = Recording.none
  var golden = Golden.none
  var differences: [RunReport.Flow.Difference] = []
  var differencesLeftOut = 0
  var details: [String] = []
  /// Recordings, from 1, that no request asked for.
  var unused: [Int] = []
  /// Seconds by which the recording is older than it may be.
  var overdue: Int64?
  /// What a patch would change.
  var changes: [Change] = []

  /// A file before and after.
  struct Change: Sendable {
    var path: String
    var old: [UInt8]?
    var new: [UInt8]
  }

  /// Time waited on the clock of the replay.
  var waited: Duration { waits.reduce(.zero, +) }
}
