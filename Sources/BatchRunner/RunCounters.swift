internal import ReactorCore

/// The number of flows of a run by status, and sums over all flows.
public struct RunCounters: Sendable, Hashable {
  private let all: Int
  private var byStatus: [FlowStatus: Int]
  /// The number of records of all flows that match the schema.
  public internal(set) var records = 0
  /// The number of records of all flows that do not match the schema.
  public internal(set) var rejected = 0
  /// The number of records of all flows that a filter left out.
  public internal(set) var filtered = 0
  /// The number of decoded bytes of all flows.
  public internal(set) var bytes = 0

  init(selected: Int) {
    all = selected
    byStatus = [.queued: selected]
  }

  /// The number of flows of the run, without those that other processes have.
  public var selected: Int { all - self[.elsewhere] }

  /// The number of flows with a status.
  public subscript(_ status: FlowStatus) -> Int { byStatus[status, default: 0] }

  /// The number of flows whose work has ended.
  public var ended: Int { selected - self[.queued] - self[.running] }

  /// Counts a flow's new summary instead of its old one.
  mutating func move(from old: FetchSummary, to new: FetchSummary) {
    records += new.records - old.records
    rejected += new.rejected - old.rejected
    filtered += new.filtered - old.filtered
    bytes += new.bytes - old.bytes
  }

  mutating func move(from old: FlowStatus, to new: FlowStatus) {
    byStatus[old, default: 0] -= 1
    byStatus[new, default: 0] += 1
  }
}
