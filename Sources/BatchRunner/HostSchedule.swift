/// Gives out the flows of a plan in order, as far as the limit of each host allows, and none before those whose records it
/// takes have started.
///
/// Taking and giving back cost the logarithm of the number of hosts. A taker that gets nothing need not come back: it
/// gets nothing only when every host that has flows left is served by as many others as it may be, and each of these
/// takes again when it gives back; or when flows wait for others to start, and whoever starts those says so.
struct HostSchedule {
  /// The flows of one host.
  private struct Host {
    /// What may be given out, by rank; the first comes first.
    var flows: [(rank: Int, place: Int)] = []
    var next = 0
    var running = 0

    /// The rank of the first flow not given out.
    var first: Int? { next < flows.count ? flows[next].rank : nil }

    /// Puts a flow in its place among those not given out.
    mutating func insert(_ place: Int, rank: Int) {
      var (low, high) = (next, flows.count)
      while low < high {
        let middle = (low + high) / 2
        if flows[middle].rank < rank { low = middle + 1 } else { high = middle }
      }
      flows.insert((rank, place), at: low)
    }
  }

  private let limit: Int
  private var hosts: [Host] = []
  private let hostOf: [Int]
  private let parents: [[Int]]
  private let children: [[Int]]
  /// Whether the flow's present attempt has started.
  private var isStarted: [Bool]
  /// Flows that wait for another one to start, with the rank they will have.
  private var parked: [Int: Int] = [:]
  /// The rank of the next flow that is given out once more.
  private var nextRank: Int
  /// Hosts that have a flow left and room for it, as a heap over their first flow's rank. A rank may be out of date when a
  /// flow of the host was put before it: the order between hosts is then a little unfair for once.
  private var ready: [(first: Int, host: Int)] = []

  /// Sorts flows by host.
  ///
  /// - Parameter parents: for each flow the places of those that have to start before it; none when nobody waits.
  init(hosts names: some Sequence<String>, parents: [[Int]] = [], limit: Int) {
    self.limit = max(limit, 1)
    var numbers: [String: Int] = [:]
    var hostOf: [Int] = []
    hostOf.reserveCapacity(names.underestimatedCount)
    // Flows of one host stand together in most plans.
    var last: (name: String, number: Int)?
    for name in names {
      if let last, last.name == name {
        hostOf.append(last.number)
        continue
      }
      let number = numbers[name] ?? hosts.count
      if number == hosts.count {
        numbers[name] = number
        hosts.append(Host())
      }
      hostOf.append(number)
      last = (name, number)
    }
    self.hostOf = hostOf
    nextRank = hostOf.count
    isStarted = [Bool](repeating: false, count: hostOf.count)
    self.parents = parents.isEmpty ? [[Int]](repeating: [], count: hostOf.count) : parents
    var children = [[Int]](repeating: [], count: hostOf.count)
    for (child, parents) in self.parents.enumerated() {
      for parent in parents { children[parent].append(child) }
    }
    self.children = children
    for place in hostOf.indices {
      if isBlocked(place) { parked[place] = place } else { hosts[hostOf[place]].flows.append((place, place)) }
    }
    for number in hosts.indices { offer(number) }
  }

  /// The next flow to run, after giving back the one that ended.
  mutating func next(after ended: Int?) -> Int? {
    if let ended {
      let number = hostOf[ended]
      let wasFull = hosts[number].running == limit
      hosts[number].running -= 1
      if wasFull { offer(number) }
    }
    while let number = pop() {
      // A parent that is run again holds up children that had not begun.
      while hosts[number].next < hosts[number].flows.count {
        let (rank, place) = hosts[number].flows[hosts[number].next]
        hosts[number].next += 1
        if isBlocked(place) {
          parked[place] = rank
          continue
        }
        hosts[number].running += 1
        if hosts[number].running < limit { offer(number) }
        return place
      }
    }
    return nil
  }

  /// Whether a flow can be given out.
  var hasWork: Bool { !ready.isEmpty }

  /// A flow that was given out has started, or never will: nobody waits for it any more.
  ///
  /// - Returns: whether another one can be given out because of that.
  mutating func start(_ place: Int) -> Bool {
    isStarted[place] = true
    var isFreed = false
    for child in children[place] where !isBlocked(child) {
      guard let rank = parked.removeValue(forKey: child) else { continue }
      put(child, rank: rank)
      isFreed = true
    }
    return isFreed
  }

  /// Gives a flow out once more, behind the others of its host.
  mutating func add(_ place: Int) {
    isStarted[place] = false
    let rank = nextRank
    nextRank += 1
    if isBlocked(place) { parked[place] = rank } else { put(place, rank: rank) }
  }

  private func isBlocked(_ place: Int) -> Bool { parents[place].contains { !isStarted[$0] } }

  private mutating func put(_ place: Int, rank: Int) {
    let number = hostOf[place]
    let isOffered = hosts[number].first != nil
    hosts[number].insert(place, rank: rank)
    if !isOffered, hosts[number].running < limit { offer(number) }
  }

  // MARK: - Heap

  private mutating func offer(_ host: Int) {
    guard let first = hosts[host].first else { return }
    ready.append((first, host))
    var child = ready.count - 1
    while child > 0, ready[child].first < ready[(child - 1) / 2].first {
      ready.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() -> Int? {
    guard let top = ready.first, let last = ready.popLast() else { return nil }
    guard !ready.isEmpty else { return top.host }
    ready[0] = last
    var parent = 0
    while 2 * parent + 1 < ready.count {
      var child = 2 * parent + 1
      if child + 1 < ready.count, ready[child + 1].first < ready[child].first { child += 1 }
      guard ready[child].first < ready[parent].first else { break }
      ready.swapAt(child, parent)
      parent = child
    }
    return top.host
  }
}
