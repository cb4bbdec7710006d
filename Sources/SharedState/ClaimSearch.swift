/// Where a process looks for units that it can claim.
///
/// Nearly always the next fresh unit is behind the last one. What processes that died have left is looked for after each
/// third of the lease, and whenever nothing is fresh.
struct ClaimSearch {
  enum Depth: Int {
    /// Fresh units behind the last one, and units that were given back.
    case free
    /// Also units of processes that have given no sign for a lease.
    case silent
    /// Also fresh units before the last one, which a claim that failed had locked, and units of processes that have left.
    case all
  }

  /// The negative weight and the number of the last fresh unit that this process got: the order in which units are
  /// claimed.
  private var behind = Self.start
  private var silentSought: Duration?
  private var allSought: Duration?
  private var wasEmpty = false

  private static let start = (order: -Int64.max, unit: -1)

  /// The searches of one claim; each is for the case that the one before has found nothing.
  ///
  /// - Parameter now: the reading of the stopwatch
  func depths(at now: Duration, lease: Duration) -> [Depth] {
    let isDue = silentSought.map { now - $0 >= lease / 3 } ?? true
    // It reads the entries of all units that have ended since the last vacuum.
    let isAllDue = allSought.map { now - $0 >= lease * 10 } ?? true
    return (wasEmpty || isDue ? [.silent] : [.free, .silent]) + (isAllDue ? [.all] : [])
  }

  /// Begins a search; returns behind which fresh unit.
  mutating func begin(_ depth: Depth, at now: Duration) -> (order: Int64, unit: Int) {
    if depth != .free { silentSought = now }
    guard depth == .all else { return behind }
    allSought = now
    return Self.start
  }

  /// Notes the fresh units that a search has found, with their weights.
  mutating func end(_ depth: Depth, fresh: [(unit: Int, weight: Int64)], isEmpty: Bool) {
    wasEmpty = isEmpty
    // Behind the one that was left are perhaps others.
    if depth == .all, !fresh.isEmpty { behind = Self.start }
    for (unit, weight) in fresh where (-weight, unit) > behind { behind = (-weight, unit) }
  }
}
