/// How many flows of a run stand where, and what they gave together.
public struct RunCounters: Sendable, Hashable {
  /// All flows of the run.
  public let selected: Int
  private var byStatus: [Int]
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
    byStatus = [Int](repeating: 0, count: FlowStatus.allCases.count)
    byStatus[FlowStatus.queued.place] = selected
  }

  /// Flows that stand at a status.
  public subscript(_ status: FlowStatus) -> Int { byStatus[status.place] }

  /// Flows whose work is over.
  public var ended: Int { selected - self[.queued] - self[.running] }

  mutating func move(from old: FlowStatus, to new: FlowStatus) {
    byStatus[old.place] -= 1
    byStatus[new.place] += 1
  }
}

extension FlowStatus {
  fileprivate var place: Int {
    switch self {
    case .queued: 0
    case .running: 1
    case .passed: 2
    case .failed: 3
    case .error: 4
    case .cancelled: 5
    }
  }
}
