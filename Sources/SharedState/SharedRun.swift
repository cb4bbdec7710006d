internal import Databases
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
  struct Claim {
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
  var division = RunDivision([])
  let stopwatch: Stopwatch
  let delay: Delay

  var claims: [Int: Claim] = [:]
  var ends: [FlowEnd] = []
  /// Stores ends at the moment; nil otherwise.
  var storing: Task<Void, Never>?
  var claimPace = ClaimPace()
  var search = ClaimSearch()
  private var renewal: Task<Void, Never>?
  private var hasLeft = false
  /// How many claims are being made, and how many were made.
  var claiming = 0
  var claimCount = 0
  var pause = SharedRun.shortestPause
  /// Why this process cannot go on with the run; nil while it can.
  package internal(set) var failure: StateError?
  /// The flows that other processes have taken over.
  package internal(set) var lost: Set<String> = []
  /// The flows that this process cannot run any more, as soon as that is known.
  nonisolated package let losses: AsyncStream<[String]>
  let loss: AsyncStream<[String]>.Continuation

  /// Requests ranges of flows that other processes run; nil if this process does not.
  var respond: Responder?
  /// Requests such ranges at the moment; nil otherwise.
  var helping: Task<Void, Never>?

  static let shortestPause = Duration.milliseconds(50)
  static let longestPause = Duration.seconds(1)

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

  /// The store of jobs and tokens that all runs with this state share.
  ///
  /// - Parameter key: seals the documents; without it, tokens can be neither written nor read
  nonisolated package func documents(sealedWith key: SealingKey?) -> DatabaseDocuments {
    // Others wait a minute for a lock, so that of a process that has died must end before.
    DatabaseDocuments(in: database, key: key, lease: min(settings.lease, .seconds(30)), delay: delay)
  }

  // MARK: - Join and leave

  /// The time that is the present in all processes of the run, because it is part of requests.
  ///
  /// - Parameter own: the present time of this process, which counts if it is the first one; seconds since 1970
  package func present(_ own: Int64) async throws(StateError) -> Int64 {
    do throws(SQLError) {
      _ = try await database.run(StateStatements.openRun, [id, settings.tool, String(own)], for: .seconds(5))
      let rows = try await database.run(StateStatements.present, [id], for: .seconds(5))
      return rows.first?.integer(0) ?? own
    } catch {
      throw StateError(error)
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
    try await join(RunDivision(flows), digest: digest)
  }

  /// Takes part in the run whose flows are divided into units already.
  package func join(_ division: RunDivision, digest: String) async throws(StateError) -> Duration {
    self.division = division
    let row: StateRow
    do throws(SQLError) {
      row = try await joined(digest)
    } catch {
      throw StateError(error)
    }
    guard row.text(0) == digest else { throw .otherFlows(id) }
    renewal = Task { await self.renewContinually() }
    return .milliseconds(row.integer(1) ?? 0)
  }

  /// Adds this process to the run, and the run with its units unless another process has.
  ///
  /// - Returns: the digest of the run, and the milliseconds since its beginning
  private func joined(_ digest: String) async throws(SQLError) -> StateRow {
    if let row = try await addProcess() { return row }
    let now = WallClock.system.sinceEpoch().components.seconds
    _ = try await database.run(StateStatements.openRun, [id, settings.tool, String(now)])
    var pause = Self.shortestPause
    while true {
      // One process adds the units: of a large run they are 100 MB.
      let elected = try await database.run(StateStatements.electFounder, [id, member.id, settings.lease.text])
      if !elected.isEmpty { try await addUnits(digest) }
      if let row = try await addProcess() { return row }
      do { try await delay.wait(pause) } catch {
        throw SQLError(.statement, "taking part in the run '\(id)' was cancelled")
      }
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func addUnits(_ digest: String) async throws(SQLError) {
    let weights = FlowWeights(try await durations())
    let list = JSONValue.array(division.units.map { $0.json(by: weights) })
    _ = try await database.run(
      StateStatements.addUnits,
      [id, digest, String(division.units.count), String(division.unitOf.count), list.text])
  }

  private func addProcess() async throws(SQLError) -> StateRow? {
    try await database.run(
      StateStatements.addProcess, [id, member.id, member.host, String(member.pid), settings.lease.text],
      for: .seconds(5)
    ).first
  }

  private func durations() async throws(SQLError) -> [String: Int64] {
    var durations: [String: Int64] = [:]
    let flows = JSONValue.array(division.units.flatMap(\.flows).map { .string($0) })
    for row in try await database.run(StateStatements.durations, [flows.text]) {
      if let flow = row.text(0) { durations[flow] = row.integer(1) }
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
    helping?.cancel()
    await helping?.value
    do throws(SQLError) {
      _ = try await database.run(StateStatements.leave, [id, member.id], for: failure == nil ? settings.lease : .zero)
    } catch {
      failure = failure ?? StateError(error)
    }
    claims = [:]
  }

  // MARK: - The whole run

  /// Makes this process the one that writes the report of the whole run; false if another one does, or flows are left.
  package func isReporter() async -> Bool {
    let rows = try? await database.run(
      StateStatements.electReporter, [id, member.id, settings.lease.text], for: failure == nil ? settings.lease : .zero)
    return rows?.isEmpty == false
  }

  /// Remembers that the report of the whole run is written.
  package func noteReport() async { _ = try? await database.run(StateStatements.noteReport, [id, member.id]) }
}
