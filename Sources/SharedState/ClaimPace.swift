/// How many units a process claims at once.
///
/// One claim costs a round trip to the database, and what a process has claimed and not begun no other process can
/// begin. So it claims what keeps it busy for a short time, by the durations of the flows that it has run.
struct ClaimPace {
  /// The time for which one claim should keep a process busy.
  private static let busy = 0.2
  private static let most = 512
  /// The mean duration of the latest flows, in seconds; nil before the first end.
  private var mean: Double?

  mutating func note(_ milliseconds: Int64?) {
    let seconds = max(Double(milliseconds ?? 0) / 1000, 0.000_2)
    mean = mean.map { $0 * 0.9 + seconds * 0.1 } ?? seconds
  }

  /// The number of units to claim.
  ///
  /// - Parameters:
  ///   - free: how many flows could begin now
  ///   - jobs: how many flows run at the same time
  func count(for free: Int, jobs: Int) -> Int {
    guard let mean else { return max(free, 1) }
    return max(free, min(Int(Self.busy * Double(jobs) / mean), Self.most), 1)
  }
}
