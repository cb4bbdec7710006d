/// The clock of the database, by readings of this process's stopwatch.
///
/// A response says what time it was between the request and the response. The shorter that took, the better it is known.
struct DatabaseClock {
  private var offset: Duration?
  private var uncertainty = Duration.zero
  private var noted = Duration.zero

  /// How long a time counts; clocks drift against each other.
  private static let lifetime = Duration.seconds(30)

  /// Notes a time of the database.
  ///
  /// - Parameters:
  ///   - time: seconds since 1970
  ///   - sent: the reading before the request
  ///   - received: the reading after the response
  mutating func note(_ time: Double, sent: Duration, received: Duration) {
    let half = (received - sent) / 2
    guard offset == nil || half <= uncertainty || received - noted > Self.lifetime else { return }
    (offset, uncertainty, noted) = (sent + half - .seconds(time), half, received)
  }

  /// The reading at a time of the database; nil before the first response.
  func reading(of time: Double) -> Duration? { offset.map { $0 + .seconds(time) } }
}
