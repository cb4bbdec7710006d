package import BatchRunner
package import Databases
internal import FlowRuntime
internal import JSONSyntax
package import ReactorCore

/// A run in which several processes take part, as one of them sees it.
///
/// A process claims units of the run, renews its claims while it works, and stores the end of each flow. A claim has a
/// fencing number, which grows with each process that gets the unit. What a process wants to publish or to store after
/// another process has taken its unit is refused.
///
///     let run = SharedRun("2026-11-28", in: database, by: .current())
///     try await run.join(flows, digest: digest)
///     let plan = RunPlan(flows, claims: run)
package actor SharedRun {
  /// A process that takes part in a run.
  package struct Member: Sendable, Hashable {
    /// A random id, which no other process has.
    package let id: String
    package let host: String
    package let pid: Int32

    /// Describes a process.
    package init(id: String, host: String, pid: Int32) {
      self.id = id
      self.host = host
      self.pid = pid
    }
  }

  /// The settings of a member.
  package struct Settings: Sendable, Hashable {
    /// How long a claim holds without a sign of its process.
    package var lease = Duration.seconds(30)
    /// How many flows the process runs at the same time.
    package var jobs = 8
    /// The version of the program.
    package var tool = ""

    /// The defaults.
    package init() {}
  }

  /// A unit that this process holds.
  private struct Claim {
    let fence: Int64
    /// The flows that have not ended here.
    var open: Set<String>
    /// Until when no other process can have taken the unit, as a reading of the stopwatch.
    var safeUntil: Duration
  }

  /// The id of the run, which all its processes have in common.
  nonisolated package let id: String
  nonisolated package let member: Member
  nonisolated package let database: StateDatabase
  nonisolated let settings: Settings
  /// Limits the requests of all processes.
  nonisolated package let pace: any SharedPace
  private var units: [RunUnit] = []
  private var unitOf: [String: Int] = [:]
  private var parents: [String: [String]] = [:]
  private let stopwatch: Stopwatch
  private let delay: Delay

  private var claims: [Int: Claim] = [:]
  private var ends: [FlowEnd] = []
  /// Stores ends at the moment; nil otherwise.
  private var storing: Task<Void, Never>?
  private var claimPace = ClaimPace()
  private var renewal: Task<Void, Never>?
  private var hasLeft = false
  /// How many claims are being made, and how many were made.
  private var claiming = 0
  private var claimCount = 0
  private var pause = SharedRun.shortestPause
  /// Why this process cannot go on with the run; nil while it can.
  package private(set) var failure: StateError?
  /// The flows that other processes have taken over.
  package private(set) var lost: Set<String> = []
  /// The flows that this process cannot run any more, as soon as that is known.
  nonisolated package let losses: AsyncStream<[String]>
  private let loss: AsyncStream<[String]>.Continuation

  private static let shortestPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(1)
  /// How many ends wait at most before they are stored together.
  private static let mostEnds = 64

  /// Prepares taking part in a run; sends nothing.
  ///
  /// - Parameter id: the id of the run, which all its processes have in common
  package init(
    _ id: String, in database: StateDatabase, by member: Member = .current(), _ settings: Settings = Settings(),
    delay: Delay = .real, stopwatch: Stopwatch = .continuous
  ) {
    self.id = id
    self.member = member
    self.database = database
    self.settings = settings
    pace = DatabasePace(database, member: member.id, lease: settings.lease, delay: delay, stopwatch: stopwatch)
    self.delay = delay
    self.stopwatch = stopwatch
    (losses, loss) = AsyncStream.makeStream()
  }

  // MARK: - Join and leave

  /// The time that is the present in all processes of the run, because it is part of requests.
  ///
  /// - Parameter own: the present time of this process, which counts if it is the first one; seconds since 1970
  package func present(_ own: Int64) async throws(StateError) -> Int64 {
    do throws(SQLError) {
      _ = try await database.run(StateTables.openRun, [id, settings.tool, String(own)], for: .seconds(5))
      let rows = try await database.run(StateTables.present, [id], for: .seconds(5))
      return rows.first?.first.flatMap { $0 }.flatMap { Int64($0) } ?? own
    } catch {
      throw StateError(error, of: id)
    }
  }

  /// Takes part in the run: creates it unless another process has, and begins to renew claims.
  ///
  /// - Parameters:
  ///   - flows: the ids of all flows with the ids of their parents, each after its parents
  ///   - digest: identifies the flows and their declarations; all processes of a run must have the same
  /// - Returns: the time since the beginning of the run, by the clock of the database
  /// - Throws: when the database cannot be used, or when the run has other flows
  package func join(
    _ flows: [(id: String, parents: [String])], digest: String
  ) async throws(StateError) -> Duration {
    units = RunUnit.units(of: flows)
    unitOf = Dictionary(
      units.flatMap { unit in unit.flows.map { ($0, unit.number) } }, uniquingKeysWith: { first, _ in first })
    parents = Dictionary(flows.map { ($0.id, $0.parents) }, uniquingKeysWith: { first, _ in first })
    do throws(SQLError) {
      var rows = try await addProcess()
      if rows.isEmpty {
        let now = WallClock.system.sinceEpoch().components.seconds
        _ = try await database.run(StateTables.openRun, [id, settings.tool, String(now)])
        let weights = try await durations()
        let list = JSONValue.array(units.map { $0.json(by: weights) })
        _ = try await database.run(
          StateTables.addUnits, [id, digest, String(units.count), String(unitOf.count), list.text])
        rows = try await addProcess()
      }
      guard let row = rows.first, row.count == 3, let known = row[0] else {
        throw SQLError(.statement, "the run '\(id)' is not in the database")
      }
      guard known == digest else { throw SQLError(.statement, "", code: StateError.otherFlows) }
      renewal = Task { await self.renewContinually() }
      return .milliseconds(row[2].flatMap { Int64($0) } ?? 0)
    } catch {
      throw StateError(error, of: id)
    }
  }

  private func addProcess() async throws(SQLError) -> [[String?]] {
    try await database.run(StateTables.addProcess, [id, member.id, member.host, String(member.pid)], for: .seconds(5))
  }

  private func durations() async throws(SQLError) -> [String: Int64] {
    var durations: [String: Int64] = [:]
    let flows = JSONValue.array(units.flatMap(\.flows).map { .string($0) })
    for row in try await database.run(StateTables.durations, [flows.text]) where row.count == 2 {
      if let flow = row[0] { durations[flow] = row[1].flatMap { Int64($0) } }
    }
    return durations
  }

  /// Stores what has ended and gives the other claims back, so that other processes go on at once.
  package func leave() async {
    guard !hasLeft else { return }
    hasLeft = true
    renewal?.cancel()
    loss.finish()
    await store()
    do throws(SQLError) {
      _ = try await database.run(StateTables.leave, [id, member.id], for: failure == nil ? settings.lease : .zero)
    } catch {
      failure = failure ?? StateError(error, of: id)
    }
    claims = [:]
  }

  // MARK: - Claims

  /// Renews the claims until this process leaves.
  private func renewContinually() async {
    while !Task.isCancelled {
      do { try await delay.wait(settings.lease / 3) } catch { return }
      _ = await renew(for: settings.lease / 2)
    }
  }

  /// Renews the claims, and finds out which ones other processes have taken.
  ///
  /// - Parameter patience: how long the database is asked again
  /// - Returns: why the database did not respond; nil if it did
  private func renew(for patience: Duration) async -> SQLError? {
    let (known, before) = (claims, claimCount)
    let sent = stopwatch.reading()
    let rows: [[String?]]
    do throws(SQLError) {
      rows = try await database.run(StateTables.renew, [id, member.id, settings.lease.text], for: patience)
    } catch {
      return error
    }
    var held: [Int: Int64] = [:]
    for row in rows where row.count == 2 {
      if let unit = row[0].flatMap({ Int($0) }) { held[unit] = row[1].flatMap { Int64($0) } }
    }
    for (unit, claim) in known where claims[unit]?.fence == claim.fence {
      if held[unit] == claim.fence {
        claims[unit]?.safeUntil = sent + settings.lease
      } else {
        lose(unit)
      }
    }
    // The response to an earlier claim was lost with its connection. One that is still on its way is not lost.
    guard claiming == 0, claimCount == before else { return nil }
    for (unit, fence) in held where claims[unit] == nil && known[unit] == nil { await giveBack(unit, fence) }
    return nil
  }

  private func lose(_ unit: Int) {
    guard let claim = claims.removeValue(forKey: unit), !claim.open.isEmpty else { return }
    lost.formUnion(claim.open)
    loss.yield(claim.open.sorted())
  }

  /// Notes that a flow begins here, also one that was lost before and has come back.
  package func begin(_ flow: String) {
    guard let unit = unitOf[flow], claims[unit]?.open.contains(flow) ?? false else { return }
    lost.remove(flow)
  }

  /// Gives a flow with its unit to other processes, because it was cancelled here.
  package func giveUp(_ flow: String) async {
    // What has ended of the unit has ended.
    await store()
    guard let unit = unitOf[flow], let claim = claims[unit] else { return }
    lose(unit)
    await giveBack(unit, claim.fence)
  }

  /// Leaves a unit to other processes: this one stores no further end of its flows.
  private func abandon(_ unit: Int) {
    if let claim = claims.removeValue(forKey: unit) { lost.formUnion(claim.open) }
  }

  /// Gives back a unit of which this process knows nothing.
  private func giveBack(_ unit: Int, _ fence: Int64) async {
    guard claims[unit] == nil else { return }
    _ = try? await database.run(
      StateTables.giveBack, [id, member.id, String(unit), String(fence)], for: .zero)
  }

  /// Whether this process still holds the unit of a flow.
  ///
  /// While the claim is surely valid, nothing is sent. Afterwards it is renewed first; so a process that was stopped
  /// for longer than a lease learns here that another one has taken its flow.
  private func holds(_ flow: String) async throws(ReactorError) {
    guard let unit = unitOf[flow] else { return }
    guard let claim = claims[unit] else { throw .takenOver(flow) }
    if stopwatch.reading() < claim.safeUntil { return }
    if let cause = await renew(for: settings.lease) {
      // The flow has no end here. Otherwise a run whose database was away would have failed flows that nobody runs again.
      failure = failure ?? StateError(cause, of: id)
      abandon(unit)
      var error = ReactorError.persistence("the shared state cannot be reached, so it is not known whose flow this is")
      error.help =
        "nothing is published; when the database can be reached, the flow runs again in this or another process"
      throw error
    }
    guard claims[unit]?.fence == claim.fence else { throw .takenOver(flow) }
  }

  /// Claims units; returns their flows that have to run here.
  private func claimUnits(_ count: Int) async throws(SQLError) -> [String] {
    claiming += 1
    claimCount += 1
    defer { claiming -= 1 }
    let sent = stopwatch.reading()
    let rows = try await database.run(
      StateTables.claim,
      [id, member.id, settings.lease.text, String(claimPace.count(for: count, jobs: settings.jobs))],
      for: settings.lease)
    var flows: [String] = []
    var empty: [(unit: Int, fence: Int64)] = []
    for row in rows where row.count == 3 {
      guard let number = row[0].flatMap({ Int($0) }), units.indices.contains(number),
        let fence = row[1].flatMap({ Int64($0) })
      else { continue }
      let open = opened(units[number], ended: row[2] ?? "[]")
      guard !open.isEmpty else {
        empty.append((number, fence))
        continue
      }
      claims[number] = Claim(fence: fence, open: Set(open), safeUntil: sent + settings.lease)
      flows += open
    }
    for (unit, fence) in empty { try await close(unit, fence) }
    return flows
  }

  /// Ends a unit of which all flows have ended.
  ///
  /// A process that ran an ancestor once more, for a flow that had not ended, has died after the end of that flow.
  private func close(_ unit: Int, _ fence: Int64) async throws(SQLError) {
    _ = try await database.run(
      StateTables.close, [id, member.id, String(unit), String(fence)], for: settings.lease)
  }

  /// The flows of a unit that have to run: those that have not ended in the run, and their ancestors, whose records they
  /// need.
  private func opened(_ unit: RunUnit, ended: String) -> [String] {
    var ids: Set<String> = []
    if case .array(let list)? = try? JSONValue(parsing: Array(ended.utf8)) { ids = Set(list.compactMap(\.string)) }
    var needed: Set<String> = []
    // Children come after their parents, so one pass backwards finds all ancestors.
    for flow in unit.flows.reversed() where needed.contains(flow) || !ids.contains(flow) {
      needed.insert(flow)
      needed.formUnion(parents[flow] ?? [])
    }
    return unit.flows.filter(needed.contains)
  }

  // MARK: - Ends

  /// Stores the end of a flow, soon, together with others.
  package func end(_ end: FlowEnd) async {
    ends.append(end)
    claimPace.note(end.took)
    // When nothing else runs here, no claim comes that would store the end.
    let open = claims.values.reduce(0) { $0 + $1.open.count }
    if ends.count >= min(open, Self.mostEnds) { await store() }
  }

  private func store() async {
    while let storing { await storing.value }
    guard !ends.isEmpty else { return }
    let task = Task { await self.storeWaiting() }
    storing = task
    await task.value
  }

  /// Stores the ends that wait, in one statement.
  private func storeWaiting() async {
    defer { storing = nil }
    var sent: [(end: FlowEnd, unit: Int, fence: Int64, isLast: Bool)] = []
    for end in ends {
      guard let unit = unitOf[end.flow], let claim = claims[unit], claim.open.contains(end.flow) else { continue }
      claims[unit]?.open.remove(end.flow)
      sent.append((end, unit, claim.fence, claim.open.count == 1))
    }
    ends = []
    guard !sent.isEmpty else { return }
    let list = JSONValue.array(sent.map { $0.end.json(unit: $0.unit, fence: $0.fence, isLast: $0.isLast) })
    do throws(SQLError) {
      let rows = try await database.run(StateTables.end, [id, member.id, list.text], for: settings.lease)
      let stored = Set(rows.compactMap { $0.first ?? nil })
      for (end, unit, fence, _) in sent where !stored.contains(end.flow) {
        // A flow that this process has claimed once more has another end.
        if claims[unit].map({ $0.fence == fence }) ?? true { lost.insert(end.flow) }
      }
    } catch {
      failure = failure ?? StateError(error, of: id)
      lost.formUnion(sent.lazy.map(\.end.flow))
      // The end of its last flow would close a unit whose other ends are not stored.
      for (_, unit, _, _) in sent { abandon(unit) }
    }
    for (_, unit, fence, isLast) in sent where isLast && claims[unit]?.fence == fence { claims[unit] = nil }
  }

  // MARK: - The whole run

  /// Makes this process the one that writes the report of the whole run; false if another one does, or flows are left.
  package func isReporter() async -> Bool {
    let rows = try? await database.run(
      StateTables.electReporter, [id, member.id, settings.lease.text], for: failure == nil ? settings.lease : .zero)
    return rows?.isEmpty == false
  }

  /// Remembers that the report of the whole run is written.
  package func noteReport() async { _ = try? await database.run(StateTables.noteReport, [id, member.id]) }
}

extension SharedRun: FlowClaims {
  package var lead: Int { claimPace.lead(jobs: settings.jobs) }

  package func claim(_ count: Int) async -> FlowClaim {
    await store()
    guard failure == nil else { return .over }
    do throws(SQLError) {
      let flows = try await claimUnits(count)
      if !flows.isEmpty {
        pause = Self.shortestPause
        return .flows(flows)
      }
      guard try await database.run(StateTables.hasWaiting, [id], for: settings.lease) == [["1"]] else { return .over }
      defer { pause = min(pause * 2, Self.longestPause) }
      // The end of what this process runs is perhaps the end of the run.
      let open = claims.values.reduce(0) { $0 + $1.open.count }
      let own = open > 0 ? claimPace.time(for: open, jobs: settings.jobs) : nil
      return .later(min(pause, own ?? pause))
    } catch {
      failure = StateError(error, of: id)
      return .over
    }
  }
}

extension SharedRun: PublicationPermit {
  nonisolated package var run: String { id }

  package func check(_ flow: String) async throws(ReactorError) { try await holds(flow) }

  package func isRepeated(_ flow: String) async -> Bool {
    unitOf[flow].flatMap { claims[$0] }.map { $0.fence > 1 } ?? false
  }

  package func condition(_ flow: String, at url: String) async -> LoadCondition? {
    guard url == database.url, let unit = unitOf[flow] else { return nil }
    // Without a claim no row proves anything.
    let fence = claims[unit]?.fence ?? -1
    return LoadCondition(
      StateTables.proof, [id, String(unit), member.id, String(fence)], otherwise: .takenOver(flow))
  }
}

extension ReactorError {
  /// The error of a flow that another process runs now.
  static func takenOver(_ flow: String) -> ReactorError {
    var error = ReactorError.persistence("another process of the run has taken '\(flow)' over")
    error.help =
      "nothing was published here; this process did not renew its claim in time, for example because it was stopped"
    return error
  }
}
