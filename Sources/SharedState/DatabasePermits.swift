internal import Databases
internal import ReactorCore

/// Limits how many requests of all processes are without a response at a host, by permits in the shared state.
///
/// A process retains a permit after a request, so that the next one costs no round trip, and gives it back when it needs
/// it no more, or when it has more than its share.
actor DatabasePermits {
  private struct Host {
    var free: [Int] = []
    var used: [Int] = []
    var limit = 1
    var waiting = 0
    /// The statement that takes permits at the moment; nil without one.
    var taking: Task<Result<Int, ReactorError>, Never>?
    /// The number of processes that want permits, as last known.
    var processes = 1
    var lastUse = Duration.zero

    /// How many permits this process may have for long.
    var share: Int { limit / max(processes, 1) }
    var held: Int { free.count + used.count }
  }

  private let database: StateDatabase
  private let member: String
  private let lease: Duration
  private let delay: Delay
  private let stopwatch: Stopwatch
  private var hosts: [String: Host] = [:]
  private var renewal: Task<Void, Never>?

  /// How long a permit that is not used is retained.
  private static let idle = Duration.milliseconds(500)

  init(_ database: StateDatabase, member: String, lease: Duration, delay: Delay, stopwatch: Stopwatch) {
    self.database = database
    self.member = member
    self.lease = lease
    self.delay = delay
    self.stopwatch = stopwatch
  }

  deinit { renewal?.cancel() }

  func enter(_ name: String, atMost limit: Int) async throws(ReactorError) {
    hosts[name, default: Host()].waiting += 1
    hosts[name]?.limit = limit
    defer { hosts[name]?.waiting -= 1 }
    var pause = Duration.milliseconds(5)
    while true {
      try ReactorError.checkCancellation()
      if let permit = hosts[name]?.free.popLast() {
        hosts[name]?.used.append(permit)
        return
      }
      let taking = hosts[name]?.taking ?? Task { await self.take(name) }
      hosts[name]?.taking = taking
      guard try await taking.value.get() == 0 else { continue }
      try await delay.wait(pause)
      pause = min(pause * 2, .milliseconds(100))
    }
  }

  /// Any of the used permits ends; which one does not matter.
  func leave(_ name: String) async {
    guard var host = hosts[name], let permit = host.used.popLast() else { return }
    host.lastUse = stopwatch.reading()
    host.free.append(permit)
    // With more processes than permits the share is nothing, so each process gives its permit on after each request.
    let extra = min(max(host.held - host.share, 0), host.free.count)
    let given = Array(host.free.prefix(extra))
    host.free.removeFirst(extra)
    hosts[name] = host
    await give(given, of: name)
  }

  /// Takes permits for the requests that wait; returns how many.
  private func take(_ name: String) async -> Result<Int, ReactorError> {
    defer { hosts[name]?.taking = nil }
    guard let host = hosts[name] else { return .success(0) }
    do throws(SQLError) {
      let rows = try await database.run(
        StateStatements.takePermits,
        [name, member, lease.text, String(host.limit), String(host.waiting), String(host.held)])
      let numbers = rows.compactMap { $0.index(0) }
      hosts[name]?.free += numbers
      if let processes = rows.first?.index(1) { hosts[name]?.processes = processes }
      if renewal == nil { renewal = Task { [weak self] in await self?.renewContinually() } }
      return .success(numbers.count)
    } catch {
      return .failure(.sharedState(error))
    }
  }

  private func give(_ numbers: [Int], of name: String) async {
    guard !numbers.isEmpty else { return }
    _ = try? await database.run(StateStatements.givePermits, [name, member, Self.list(numbers)], for: .zero)
  }

  /// Renews the permits in use, and gives back the ones that nobody uses.
  private func renewContinually() async {
    var next = stopwatch.reading() + lease / 3
    while !Task.isCancelled {
      do { try await delay.wait(Self.idle) } catch { return }
      let now = stopwatch.reading()
      for name in hosts.filter({ $0.value.held > 0 }).keys {
        let rows = try? await database.run(StateStatements.countDemands, [name], for: .zero)
        if let count = rows?.first?.index(0) { hosts[name]?.processes = count }
      }
      for name in hosts.keys {
        guard let host = hosts[name], host.waiting == 0, now - host.lastUse > Self.idle else { continue }
        hosts[name]?.free = []
        await give(host.free, of: name)
      }
      guard now >= next else { continue }
      next = now + lease / 3
      for (name, host) in hosts where host.held > 0 {
        _ = try? await database.run(
          StateStatements.renewPermits, [name, member, lease.text, Self.list(host.free + host.used)], for: lease / 3)
      }
    }
  }

  private static func list(_ numbers: [Int]) -> String { "{\(numbers.map(String.init).joined(separator: ","))}" }
}
