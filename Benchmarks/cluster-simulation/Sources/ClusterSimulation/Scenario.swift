/// What is simulated.
struct Scenario {
  /// The number of flows; each is a unit of its own.
  var flows: Int
  var processes: Int
  /// The number of flows that a process runs at the same time.
  var jobs = 8
  var lease = Duration.seconds(30)
  /// The share of the processes that die in a minute.
  var deaths = 0.01
  /// Of those that die, the share that is stopped for three leases instead, and then goes on.
  var stops = 0.1
  /// How long a process is missing before another one begins in its stead.
  var replacement = Duration.seconds(30)
  /// The share of the flows whose duration is known from an earlier run, up to the noise.
  var known = 0.9
  /// The standard deviation of the logarithm of a flow's duration between two runs.
  var noise = 0.2
  var seed: UInt64

  var slots: Int { processes * jobs }

  static func id(_ flow: Int) -> String { "flow-\(flow)" }
  static func flow(_ id: String) -> Int { Int(id.dropFirst("flow-".count)) ?? -1 }

  /// The durations of the flows in seconds: Pareto with alpha 1.5 from 5 s, at most 15 minutes.
  func durations() -> [Double] {
    var random = Random(seed)
    return (0..<flows).map { _ in min(5 / random.positive().power(of: 1 / 1.5), 900) }
  }

  /// The durations of an earlier run, in milliseconds; nil for a flow that is new.
  func history(of durations: [Double]) -> [Int64?] {
    var random = Random(seed &+ 1)
    return durations.map { duration in
      let factor = random.normal(deviation: noise)
      return random.unit() < known ? Int64(duration * factor.exponential * 1000) : nil
    }
  }
}
