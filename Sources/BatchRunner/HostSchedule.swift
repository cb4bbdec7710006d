/// Gives out the flows of a plan in order, as far as the limit of each host allows.
///
/// Taking and giving back cost the logarithm of the number of hosts. A taker that gets nothing need not come back: it
/// gets nothing only when every host that has flows left is served by as many others as it may be, and each of these
/// takes again when it gives back.
struct HostSchedule {
  /// The flows of one host.
  private struct Host {
    var flows: [Int] = []
    var next = 0
    var running = 0

    /// The place of the first flow not given out.
    var first: Int? { next < flows.count ? flows[next] : nil }
  }

  private let limit: Int
  private var hosts: [Host] = []
  private let hostOf: [Int]
  /// Hosts that have a flow left and room for it, as a heap over their first flow's place.
  private var ready: [(first: Int, host: Int)] = []

  /// Sorts flows by host.
  init(hosts names: some Sequence<String>, limit: Int) {
    self.limit = max(limit, 1)
    var numbers: [String: Int] = [:]
    var hostOf: [Int] = []
    for (place, name) in names.enumerated() {
      let number = numbers[name] ?? hosts.count
      if number == hosts.count {
        numbers[name] = number
        hosts.append(Host())
      }
      hosts[number].flows.append(place)
      hostOf.append(number)
    }
    self.hostOf = hostOf
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
    guard let host = pop() else { return nil }
    let flow = hosts[host].first
    hosts[host].next += 1
    hosts[host].running += 1
    if hosts[host].running < limit { offer(host) }
    return flow
  }

  /// Whether a flow can be given out.
  var hasWork: Bool { !ready.isEmpty }

  /// Gives a flow out once more, behind the others of its host.
  mutating func add(_ place: Int) {
    let number = hostOf[place]
    let isOffered = hosts[number].first != nil
    hosts[number].flows.append(place)
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
