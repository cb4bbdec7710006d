/// How many units a process claims at once.
///
/// One claim costs a round trip to the database, and what a process has claimed and not begun no other process can
/// begin. So it claims what keeps it busy for a short time, by the durations of the flows that it has run. It claims
/// before it has nothing to begin, so that it does not wait for the database.
struct ClaimPace {
  /// The time for which one claim should keep a process busy.
  private static let busy = 0.1
  /// The time that a claim may take without a pause of the process.
  private static let ahead = 0.05
  private static let most = 512
  /// The mean duration of the latest flows, in seconds; nil before the first end.
  private var mean: Double?

  mutating func note(_ milliseconds: Int64?) {
    guard let milliseconds else { return }
    let seconds = max(Double(milliseconds) / 1000, 0.000_2)
    mean = mean.map { $0 * 0.9 + seconds * 0.1 } ?? seconds
  }

  /// The number of units to claim.
  ///
  /// - Parameters:
  ///   - free: how many flows could begin now
  ///   - jobs: how many flows run at the same time
  func count(for free: Int, jobs: Int) -> Int {
    max(free, flows(in: Self.busy, jobs: jobs), 1)
  }

  /// The number of claimed flows that wait when the next claim is due. Long flows do not wait here: another process
  /// could begin them.
  func lead(jobs: Int) -> Int { flows(in: Self.ahead, jobs: jobs) }

  /// The time in which a process probably runs flows; nil before the first end.
  func time(for flows: Int, jobs: Int) -> Duration? {
    mean.map { .seconds(max($0 * Double(flows) / Double(max(jobs, 1)), 0.005)) }
  }

  /// How many flows the process runs in a time; 0 before the first end.
  private func flows(in seconds: Double, jobs: Int) -> Int {
    mean.map { min(Int(seconds * Double(jobs) / $0), Self.most) } ?? 0
  }
}
