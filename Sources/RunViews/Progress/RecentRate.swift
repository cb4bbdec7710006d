/// The rates of records and bytes over the last seconds of a run.
package struct RecentRate: Sendable, Hashable {
  /// The time over which a rate is measured.
  package static let window = Duration.seconds(5)
  /// The minimum time between two samples, so that few are retained.
  private static let pause = Duration.milliseconds(500)

  private struct Sample: Hashable {
    var time: Duration
    var records: Int
    var bytes: Int
  }

  private var samples: [Sample] = []

  /// Creates a measurement without samples.
  package init() {}

  /// Adds the counts of a moment, and returns the rates up to it.
  ///
  /// - Parameter now: a reading of the run's clock, not earlier than the last one
  /// - Returns: records and bytes a second; 0 before a second has passed, and while counts are withdrawn
  package mutating func rates(at now: Duration, records: Int, bytes: Int) -> (records: Int, bytes: Int) {
    // One sample that is older than the window stays, because the rate is measured from it.
    while samples.count > 1, now - samples[1].time >= Self.window { samples.removeFirst() }
    defer {
      if samples.last.map({ now - $0.time >= Self.pause }) ?? true {
        samples.append(Sample(time: now, records: records, bytes: bytes))
      }
    }
    guard let first = samples.first else { return (0, 0) }
    let passed = Quantity.milliseconds(now - first.time)
    guard passed >= 1000 else { return (0, 0) }
    func rate(_ count: Int) -> Int { max(Int(clamping: Int64(count) * 1000 / passed), 0) }
    return (rate(records - first.records), rate(bytes - first.bytes))
  }
}
