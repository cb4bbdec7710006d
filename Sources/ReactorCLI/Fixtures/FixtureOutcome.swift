internal import Fixtures
internal import JSONSyntax
internal import RunViews

/// What came of one flow's fixtures in a run.
struct FixtureOutcome: Sendable {
  /// What became of the cassette.
  enum Recording: String, Sendable {
    /// It was not written.
    case none
    /// Something in it changed, or it is new.
    case written
    /// The servers said the same as before.
    case unchanged
  }

  /// What became of the goldens.
  enum Golden: String, Sendable {
    /// They were not looked at.
    case none
    /// They say what the run gave.
    case equal
    /// They were not there, and were written.
    case written
    /// They are not there.
    case missing
    /// They say something else.
    case differs
    /// They said something else, and were replaced.
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
  /// What a patch would change: the paths with what is there and what would be.
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
