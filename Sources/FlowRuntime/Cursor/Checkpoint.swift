internal import Boxes
internal import FlowModel
internal import ReactorCore
internal import Records

/// The state from which a run over a long range continues after it has published the slices that it read.
///
/// A process that is killed then loses only the slices after the last checkpoint. The remaining slices do not change,
/// even if another process publishes in between.
struct Checkpoint: Sendable {
  /// The ratio of the time between two checkpoints to the time that a publication takes: at least 10.
  private static let rest = 10
  /// The least time between two checkpoints.
  static let interval = Duration.seconds(300)

  /// The cursor with its state and start for this run.
  @Boxed private(set) var run: CursorRun
  /// The cursor state that was remembered before the run.
  @BoxedIfPresent private(set) var known: CursorState?
  /// The slices that the run still has to read.
  let ranges: [CursorRange]
  /// The outcome of all slices so far.
  @Boxed private(set) var outcome: Pull.Outcome
  let count: Int
  /// The reading of the stopwatch after which no further slice is requested.
  let deadline: Duration?
  /// How long the last publication took.
  var cost = Duration.zero

  /// The time until the next checkpoint. A larger result takes longer to write, so it is written less often.
  var interval: Duration { max(Self.interval, cost * Self.rest) }
}

extension FlowPlan {
  /// Whether complete slices are published while the flow runs.
  ///
  /// False for a full refresh, because it replaces the whole result at once; for a flow with an expected number of
  /// records, because the number can be checked only at the end; for a parent flow, because other runs would take a
  /// published part for the complete result; and for downloads, because it is known only at the end whether all their
  /// paths differ.
  var hasCheckpoints: Bool {
    guard cursor?.keepsPart ?? false, result.target != nil, !isFullRefresh, !isRetrying else { return false }
    return each == nil && !isParent && download == nil && records.expectations.min == nil
      && records.expectations.max == nil
  }
}
