internal import Fixtures
internal import JSONSyntax
internal import RunViews

/// The effect of a run on the fixtures of one flow.
struct FixtureOutcome: Sendable {
  /// The effect on the cassette.
  enum Recording: String, Sendable {
    /// The cassette was not written.
    case none
    /// The cassette is new, or its content changed.
    case written
    /// The responses are the same as before.
    case unchanged
  }

  /// The result of the comparison with the goldens.
  enum Golden: String, Sendable {
    /// The goldens were not read.
    case none
    /// The goldens are equal to the run.
    case equal
    /// The goldens did not exist and were written.
    case written
    /// The goldens do not exist.
    case missing
    /// The goldens differ from the run.
    case differs
    /// The goldens differed and were replaced.
    case replaced
  }

  var requests = 0
  var waits: [Duration] = []
  var recording = Recording.none
  var golden = Golden.none
  var differences: [RunReport.Flow.Difference] = []
  var differencesLeftOut = 0
  var details: [String] = []
  /// The numbers, from 1, of the recorded exchanges that no request used.
  var unused: [Int] = []
  /// The number of seconds by which the recording exceeds its maximum age.
  var overdue: Int64?
  /// The changes to the goldens that an acceptance patch would make.
  var changes: [Change] = []

  /// The content of a file before and after a change.
  struct Change: Sendable {
    var path: String
    var old: [UInt8]?
    var new: [UInt8]
  }

  /// The first records as JSON, when the session retains records instead of comparing them.
  var records: [String] = []

  /// The time that the flow waited on the clock of the replay.
  var waited: Duration { waits.reduce(.zero, +) }
}
