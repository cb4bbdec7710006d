internal import Databases
internal import ReactorCore

/// Limits the requests of all processes by rows of the shared state.
///
/// The starts of a rate are reserved in portions: those that wait now, and as many as were needed in the last tenth of a
/// second. So a steady stream of requests waits for no round trip. The starts of all processes are evenly spaced,
/// because a burst of each process would be a multiple of the limit.
actor DatabasePace: SharedPace {
  private let database: StateDatabase
  private let stopwatch: Stopwatch
  private let permits: DatabasePermits
  private var rates: [RateKey: Starts] = [:]
  private var clock = DatabaseClock()
  /// How long responses take; starts are reserved that far ahead, so that they do not arrive late.
  private var lateness = Duration.zero

  private struct RateKey: Hashable {
    let budget: String
    let limit: RatePace.Limit

    /// The number of starts in the time for which starts are reserved ahead.
    var perPortion: Int { max(1, Int(Double(limit.requests) / max(limit.window / DatabasePace.ahead, 1))) }
  }

  /// The reserved starts of a rate, as readings of the stopwatch.
  private struct Starts {
    var reserved: [Duration] = []
    var waiting = 0
    /// The reservation that is being made; nil without one.
    var reservation: Task<ReactorError?, Never>?
    /// How many starts were taken since the last reservation, and when that was.
    var taken = 0
    var lastReservation: Duration?
  }

  /// How long ahead starts are reserved.
  fileprivate static let ahead = Duration.milliseconds(100)
  private static let longestLateness = Duration.seconds(2)
  /// How late a reserved start may be used; a later one could meet the next start of another process.
  private static let latest = Duration.milliseconds(20)

  init(_ database: StateDatabase, member: String, lease: Duration, delay: Delay, stopwatch: Stopwatch) {
    self.database = database
    self.stopwatch = stopwatch
    permits = DatabasePermits(database, member: member, lease: lease, delay: delay, stopwatch: stopwatch)
  }

  func wait(of budget: String, within limit: RatePace.Limit) async throws(ReactorError) -> Duration {
    let key = RateKey(budget: budget, limit: limit)
    rates[key, default: Starts()].waiting += 1
    defer { rates[key]?.waiting -= 1 }
    while true {
      try ReactorError.checkCancellation()
      let oldest = stopwatch.reading() - Self.latest
      rates[key]?.reserved.removeAll { $0 < oldest }
      if let start = take(key) { return start - stopwatch.reading() }
      let reservation = rates[key]?.reservation ?? Task { await self.reserve(key) }
      rates[key]?.reservation = reservation
      if let error = await reservation.value { throw error }
      // What was reserved now may be used late; otherwise a request would never start where responses take long.
      if let start = take(key) { return start - stopwatch.reading() }
    }
  }

  private func take(_ key: RateKey) -> Duration? {
    guard let start = rates[key]?.reserved.first else { return nil }
    rates[key]?.reserved.removeFirst()
    rates[key]?.taken += 1
    return start
  }

  /// Reserves the next starts; returns why that was not possible.
  private func reserve(_ key: RateKey) async -> ReactorError? {
    defer { rates[key]?.reservation = nil }
    guard var starts = rates[key] else { return nil }
    let sent = stopwatch.reading()
    let isSteady = starts.lastReservation.map { sent - $0 < Self.ahead * 2 } ?? false
    let count = max(starts.waiting, isSteady ? min(starts.taken, key.perPortion) : 0, 1)
    (starts.taken, starts.lastReservation) = (0, sent)
    rates[key] = starts
    do throws(SQLError) {
      let rows = try await database.run(
        StateStatements.reserveStarts,
        [key.budget, String(key.limit.requests), key.limit.window.text, String(count), lateness.text])
      guard let time = rows.first?.number(0), let present = rows.first?.number(1) else {
        throw SQLError(.statement, "the start of a request cannot be reserved")
      }
      let received = stopwatch.reading()
      clock.note(present, sent: sent, received: received)
      let first = clock.reading(of: time) ?? received
      let now = clock.reading(of: present) ?? received
      lateness = min(max(received - now, lateness * 0.9), Self.longestLateness)
      let step = key.limit.window / key.limit.requests
      rates[key]?.reserved += (0..<count).map { first + step * $0 }
    } catch {
      return .sharedState(error)
    }
    return nil
  }

  func enter(_ host: String, atMost limit: Int) async throws(ReactorError) {
    try await permits.enter(host, atMost: limit)
  }

  func leave(_ host: String, atMost limit: Int) async { await permits.leave(host) }
}

extension ReactorError {
  static func sharedState(_ error: SQLError) -> ReactorError {
    if error.kind == .cancelled { return .cancelled }
    let error = StateError(error)
    var failure = ReactorError.persistence(error.message)
    failure.help = error.help
    failure.isOfSharedState = true
    return failure
  }
}
