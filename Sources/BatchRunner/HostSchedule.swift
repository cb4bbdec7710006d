/// Schedules the flows of a plan in order.
///
/// It respects the limit of each host. It schedules a flow only after the flow's parents have started.
///
/// The cost of `next` is logarithmic in the number of hosts. A worker that gets no flow may end, for one of two
/// reasons. In the first case, every host with remaining flows already has the maximum number of workers, and each of
/// these workers calls `next` again. In the second case, flows wait for their parents to start, and `start` reports
/// when these flows can run.
struct HostSchedule {
  /// The flows of one host.
  private struct Host {
    /// The flows that can be scheduled, ordered by rank. The flows before `next` have been scheduled.
    var flows: [(rank: Int, index: Int)] = []
    var next = 0
    var running = 0

    /// The rank of the first flow that has not been scheduled; nil when there is none.
    var first: Int? { next < flows.count ? flows[next].rank : nil }

    /// Inserts a flow at the position of its rank.
    mutating func insert(_ index: Int, rank: Int) {
      var (low, high) = (next, flows.count)
      while low < high {
        let middle = (low + high) / 2
        if flows[middle].rank < rank { low = middle + 1 } else { high = middle }
      }
      flows.insert((rank, index), at: low)
    }
  }

  private let limit: Int
  private var hosts: [Host] = []
  private let hostOf: [Int]
  private let parents: [[Int]]
  private let children: [[Int]]
  /// Whether the current attempt of each flow has started.
  private var isStarted: [Bool]
  /// Whether each flow is in the schedule and was not returned yet.
  private var isWaiting: [Bool]
  /// The ranks of the flows that wait for a parent to start, by the index of the flow.
  private var parked: [Int: Int] = [:]
  /// The rank for the next flow that is added to be run again.
  private var nextRank: Int
  /// A heap of the hosts that have a waiting flow and a free worker slot.
  ///
  /// The heap is ordered by the rank of each host's first flow.
  ///
  /// A rank may be outdated when a flow was inserted before the first flow. The order of the hosts is then not quite
  /// fair.
  private var ready: [(first: Int, host: Int)] = []

  /// Creates a schedule with the flows grouped by host.
  ///
  /// - Parameters:
  ///   - parents: for each flow the indices of its parents, which must start before it; may be empty
  ///   - isOpen: whether all flows can be scheduled; otherwise each one must be added
  init(hosts names: some Sequence<String>, parents: [[Int]] = [], limit: Int, isOpen: Bool = true) {
    self.limit = max(limit, 1)
    var numbers: [String: Int] = [:]
    var hostOf: [Int] = []
    hostOf.reserveCapacity(names.underestimatedCount)
    // In most plans, flows of the same host are consecutive.
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
    isWaiting = [Bool](repeating: isOpen, count: hostOf.count)
    self.parents = parents.isEmpty ? [[Int]](repeating: [], count: hostOf.count) : parents
    var children = [[Int]](repeating: [], count: hostOf.count)
    for (child, parents) in self.parents.enumerated() {
      for parent in parents { children[parent].append(child) }
    }
    self.children = children
    for index in hostOf.indices where isOpen {
      if isBlocked(index) { parked[index] = index } else { hosts[hostOf[index]].flows.append((index, index)) }
    }
    for number in hosts.indices { offer(number) }
  }

  /// Releases the worker slot of the flow that has ended, and returns the next flow to run.
  mutating func next(after ended: Int?) -> Int? {
    if let ended {
      let number = hostOf[ended]
      let wasFull = hosts[number].running == limit
      hosts[number].running -= 1
      if wasFull { offer(number) }
    }
    while let number = pop() {
      // When a parent is run again, it blocks its children that have not started.
      while hosts[number].next < hosts[number].flows.count {
        let (rank, index) = hosts[number].flows[hosts[number].next]
        hosts[number].next += 1
        if isBlocked(index) {
          parked[index] = rank
          continue
        }
        isWaiting[index] = false
        hosts[number].running += 1
        if hosts[number].running < limit { offer(number) }
        return index
      }
    }
    return nil
  }

  /// Whether a flow can be scheduled now.
  var hasWork: Bool { !ready.isEmpty }

  /// Records that a scheduled flow has started or will never start.
  ///
  /// Its children then no longer wait for it.
  ///
  /// - Returns: whether this makes another flow ready to be scheduled.
  mutating func start(_ index: Int) -> Bool {
    isStarted[index] = true
    var isFreed = false
    for child in children[index] where !isBlocked(child) {
      guard let rank = parked.removeValue(forKey: child) else { continue }
      put(child, rank: rank)
      isFreed = true
    }
    return isFreed
  }

  /// Adds a flow that is run again, or that this process has got, after the other flows of its host.
  ///
  /// - Returns: false if the flow is in the schedule already
  @discardableResult
  mutating func add(_ index: Int) -> Bool {
    guard !isWaiting[index] else { return false }
    isWaiting[index] = true
    isStarted[index] = false
    let rank = nextRank
    nextRank += 1
    if isBlocked(index) { parked[index] = rank } else { put(index, rank: rank) }
    return true
  }

  private func isBlocked(_ index: Int) -> Bool { parents[index].contains { !isStarted[$0] } }

  private mutating func put(_ index: Int, rank: Int) {
    let number = hostOf[index]
    let isOffered = hosts[number].first != nil
    hosts[number].insert(index, rank: rank)
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
