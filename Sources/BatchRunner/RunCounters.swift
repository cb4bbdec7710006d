/// The flows of a run by status, and sums over them.
public struct RunCounters: Sendable, Hashable {
  /// All flows of the run.
  public let selected: Int
  private var byStatus: [FlowStatus: Int]
  /// Records that fit, of all flows.
  public internal(set) var records = 0
  /// Records that did not fit.
  public internal(set) var rejected = 0
  /// Records that were left out because they are not wanted.
  public internal(set) var filtered = 0
  /// Decoded bytes.
  public internal(set) var bytes = 0

  init(selected: Int) {
    self.selected = selected
    byStatus = [.queued: selected]
  }

  /// Flows with a status.
  public subscript(_ status: FlowStatus) -> Int { byStatus[status, default: 0] }

  /// Flows whose work is over.
  public var ended: Int { selected - self[.queued] - self[.running] }

  mutating func move(from old: FlowStatus, to new: FlowStatus) {
    byStatus[old, default: 0] -= 1
    byStatus[new, default: 0] += 1
  }
}
