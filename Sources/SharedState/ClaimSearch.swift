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
  private(set) var behind = Self.start
  private var silentSought: Duration?
  private var allSought: Duration?
  private var wasEmpty = false

  private static let start = (order: -Int64.max, unit: -1)

  /// The searches of one claim; each is for the case that the one before has found nothing.
  ///
  /// - Parameter now: the reading of the stopwatch
  func depths(at now: Duration, lease: Duration) -> [Depth] {
    let isDue = silentSought.map { now - $0 >= lease / 3 } ?? true
    let isAllDue = allSought.map { now - $0 >= lease } ?? true
    return (wasEmpty || isDue ? [.silent] : [.free, .silent]) + (isAllDue ? [.all] : [])
  }

  mutating func begin(_ depth: Depth, at now: Duration) {
    if depth != .free { silentSought = now }
    if depth == .all { (allSought, behind) = (now, Self.start) }
  }

  /// Notes the fresh units that a search has found, with their weights.
  mutating func end(fresh: [(unit: Int, weight: Int64)], isEmpty: Bool) {
    wasEmpty = isEmpty
    for (unit, weight) in fresh where (-weight, unit) > behind { behind = (-weight, unit) }
  }
}
