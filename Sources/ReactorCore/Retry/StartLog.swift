/// The start times of requests, as far back as a limit needs them.
///
/// The memory is bounded by twice the largest number of requests in a limit.
struct StartLog {
  private typealias Entry = (start: Duration, ticket: Int)

  /// The starts, in order. The log has none before the first limit is known.
  private var entries: [Entry] = []
  private var longestWindow = Duration.zero
  private var mostRequests = 0
  private var newestTicket = 0

  /// The number of retained start times.
  var count: Int { entries.count }

  /// Makes the log retain the start times that these limits need.
  mutating func serve(_ limits: [RatePace.Limit]) {
    for limit in limits {
      longestWindow = max(longestWindow, limit.window)
      mostRequests = max(mostRequests, limit.requests)
    }
  }

  /// Adds a start that is not before the starts so far.
  mutating func note(_ start: Duration, ticket: Int) {
    guard mostRequests > 0 else { return }
    entries.append((start, ticket))
    newestTicket = max(newestTicket, ticket)
    let excess = entries.count - mostRequests
    let old = max(excess, entries.prefix { $0.start <= start - longestWindow }.count)
    if old > entries.count / 2 { entries.removeFirst(old) }
  }

  /// The earliest time at which limits allow one more start.
  ///
  /// Starts and reservations of later requests are ignored, because those requests have already taken this one into
  /// account.
  ///
  /// - Parameters:
  ///   - time: the earliest time to return; not before the last start
  ///   - ticket: the request's number in the order of calls
  ///   - reserved: the start times that are reserved for earlier requests, in order, none in the past
  func earliest(
    from time: Duration, _ limits: [RatePace.Limit], ticket: Int, among reserved: [Duration]
  ) -> Duration {
    let past = newestTicket < ticket ? entries : entries.filter { $0.ticket < ticket }
    var time = time
    while true {
      let before = time
      for limit in limits { time = Self.earliest(from: time, limit, past, reserved) }
      if time == before { return time }
    }
  }

  /// The earliest time at which one more start leaves at most `limit.requests` starts in every window of the limit.
  private static func earliest(
    from time: Duration, _ limit: RatePace.Limit, _ past: [Entry], _ reserved: [Duration]
  ) -> Duration {
    func start(_ index: Int) -> Duration {
      index < past.count ? past[index].start : reserved[index - past.count]
    }
    let total = past.count + reserved.count
    guard total >= limit.requests else { return time }
    // Groups that end before the last start are within the group that ends with it.
    let ends = max(past.count, limit.requests) - 1..<total
    var time = time
    while true {
      var later = time
      for end in ends {
        let first = start(end - limit.requests + 1)
        if max(start(end), time) - min(first, time) < limit.window { later = max(later, first + limit.window) }
      }
      if later == time { return time }
      time = later
    }
  }
}
