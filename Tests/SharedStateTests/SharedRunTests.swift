import BatchRunner
import Databases
import FlowRuntime
import Foundation
import ReactorCore
import SharedState
import TestSupport
import Testing

/// The claims and ends of a run, in a real PostgreSQL server.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "shared state")) ?? true))
struct SharedRunTests {
  private static let server = Result { try PostgreSQLServer() }

  private let database: StateDatabase
  private let run = UUID().uuidString

  init() throws { database = StateDatabase(url: try Self.server.get().url) }

  /// A member of the run, with a lease in seconds; its clock is the system's.
  private func member(_ name: String, lease: Double = 60, jobs: Int = 2) -> SharedRun {
    var settings = SharedRun.Settings()
    (settings.lease, settings.jobs) = (.seconds(lease), jobs)
    return SharedRun(run, in: database, by: SharedRun.Member(id: name, host: "test", pid: 1), settings)
  }

  private func joined(_ name: String, _ flows: [String] = ["a", "b", "c"], lease: Double = 60) async throws -> SharedRun
  {
    let member = self.member(name, lease: lease)
    _ = try await member.join(flows.map { ($0, []) }, digest: "d")
    return member
  }

  private static func end(_ flow: String, milliseconds: Int64? = 5) -> FlowEnd {
    FlowEnd(
      flow: flow, status: "passed", exit: 0, report: "{\"flow\":\"\(flow)\\u0000\"}", line: "{}", duration: milliseconds
    )
  }

  private func record() async throws -> SharedRunRecord {
    try #require(try await SharedRunRecord.read(run, in: database, withReports: true))
  }

  // MARK: - Tests

  @Test func `a database of a later form is refused with words`() async throws {
    let server = try Self.server.get()
    _ = try await joined("1")
    let session = try await PostgreSQLSession.open(server.url)
    try await session.run("ALTER TABLE reactor_shared_runs ADD COLUMN version_2 int")
    let error = await #expect(throws: StateError.self) {
      _ = try await SharedRunRecord.read(run, in: StateDatabase(url: server.url), withReports: false)
    }
    #expect(error?.message.contains("'reactor_shared_runs' was written by a later version of reactor") == true)
    #expect(error?.help?.contains("upgrade reactor") == true)
    try await session.run("ALTER TABLE reactor_shared_runs DROP COLUMN version_2")
    await session.close()
  }

  @Test func `each flow is claimed by one process, and the run is over when all have ended`() async throws {
    let (one, two) = (try await joined("1"), try await joined("2"))
    let claims = [await one.claim(2), await two.claim(2), await one.claim(2)]
    guard case .flows(let first) = claims[0], case .flows(let second) = claims[1], case .later = claims[2] else {
      Issue.record("\(claims)")
      return
    }
    #expect(Set(first + second) == ["a", "b", "c"] && first.count == 2)
    for flow in first { await one.end(Self.end(flow)) }
    #expect(await one.claim(1) == .later(.microseconds(62_500)))
    #expect(await one.isReporter() == false)
    for flow in second { await two.end(Self.end(flow)) }
    #expect(await two.claim(1) == .over)
    #expect(await one.claim(1) == .over)
    #expect(await two.isReporter())
    #expect(await one.isReporter() == false)
    await two.noteReport()
    for member in [one, two] { await member.leave() }
    let record = try await record()
    #expect(record.isEnded && record.flows == 3 && record.ends.count == 3)
    #expect(record.ends.allSatisfy { $0.report.contains("\\u0000") })
    #expect(record.members.map(\.hasLeft) == [true, true])
    // A process of the same run that begins afterwards finds nothing to do, and reports nothing.
    let late = try await joined("late")
    #expect(await late.claim(4) == .over)
    #expect(await late.isReporter() == false)
    await late.leave()
  }

  @Test func `a process does not claim what it runs, even when its lease has run out`() async throws {
    let one = try await joined("1", ["a"])
    #expect(await one.claim(1) == .flows(["a"]))
    try Self.server.get().sql(
      "UPDATE reactor_claims SET lease = clock_timestamp() - interval '1 second' WHERE run = '\(run)'")
    guard case .later = await one.claim(1) else {
      Issue.record("the flow was claimed twice")
      return
    }
    await one.end(Self.end("a"))
    #expect(await one.claim(1) == .over)
    #expect(try await record().ends.count == 1)
    await one.leave()
  }

  @Test func `a unit whose earlier ends could not be stored is not closed by its last end`() async throws {
    let flows: [(id: String, parents: [String])] = [("a", []), ("b", ["a"])]
    let one = member("1", lease: 0.5)
    _ = try await one.join(flows, digest: "d")
    #expect(await one.claim(1) == .flows(["a", "b"]))
    let server = try Self.server.get()
    server.stop()
    await one.end(Self.end("a"))
    #expect(await one.claim(1) == .over)
    try server.restart()
    await one.end(Self.end("b"))
    await one.leave()
    #expect(try await !record().isEnded)
    let two = member("2")
    _ = try await two.join(flows, digest: "d")
    #expect(await two.claim(1) == .flows(["a", "b"]))
    for flow in ["a", "b"] { await two.end(Self.end(flow)) }
    #expect(try await record().isEnded)
    await two.leave()
  }

  @Test func `the longest flows of earlier runs come first, then those that are new`() async throws {
    let earlier = try await joined("0", ["short", "long", "middle"])
    _ = await earlier.claim(3)
    for (flow, time) in [("short", 1500), ("long", 9000), ("middle", 3000)] as [(String, Int64)] {
      await earlier.end(Self.end(flow, milliseconds: time))
    }
    await earlier.leave()
    let next = try SharedRunTests()
    let member = try await next.joined("1", ["short", "unknown", "long", "middle"])
    var order: [String] = []
    while case .flows(let flows) = await member.claim(1) { order += flows }
    #expect(order == ["long", "unknown", "middle", "short"])
    await member.leave()
  }

  @Test func `a process whose lease ran out loses its flow, and neither ends nor publishes it`() async throws {
    // It renews nothing within this test, as a process that was stopped.
    let stopped = SharedRun(
      run, in: database, by: SharedRun.Member(id: "1", host: "test", pid: 1),
      {
        var settings = SharedRun.Settings(); settings.lease = .milliseconds(300); return settings
      }(),
      delay: Delay { (_) async throws(ReactorError) in await Pause.exactly(microseconds: 3_600_000_000) })
    _ = try await stopped.join([("a", [])], digest: "d")
    #expect(await stopped.claim(1) == .flows(["a"]))
    let other = try await joined("2", ["a"])
    await Pause.exactly(microseconds: 400_000)
    #expect(await other.claim(1) == .flows(["a"]))
    #expect(await other.isRepeated("a"))
    await #expect(throws: ReactorError.self) { try await stopped.check("a") }
    #expect(await stopped.lost == ["a"])
    try await other.check("a")
    await stopped.end(Self.end("a"))
    await stopped.leave()
    #expect(try await record().ends.isEmpty)
    await other.end(Self.end("a"))
    await other.leave()
    #expect(try await record().ends.map(\.flow) == ["a"])
  }

  @Test func `the end that a process stores after it has lost the claim is refused by the database`() async throws {
    let stopped = try await joined("1", ["a"])
    #expect(await stopped.claim(1) == .flows(["a"]))
    try await expire("1")
    let other = try await joined("2", ["a"])
    #expect(await other.claim(1) == .flows(["a"]))
    await stopped.end(Self.end("a"))
    await stopped.leave()
    #expect(await stopped.lost == ["a"])
    #expect(try await record().ends.isEmpty)
    await other.leave()
  }

  @Test func `one process adds the units of a run; another one if that one is gone`() async throws {
    let flows: [(id: String, parents: [String])] = (0..<100).map { ("flow \($0)", []) }
    let members = (0..<8).map { member(String($0)) }
    try await withThrowingDiscardingTaskGroup { group in
      for member in members { group.addTask { _ = try await member.join(flows, digest: "d") } }
    }
    #expect(await members[0].claim(200) == .flows(flows.map(\.id)))
    for member in members { await member.leave() }
    let other = try SharedRunTests()
    _ = try await other.member("gone").present(1)
    _ = try await other.database.run(
      "UPDATE reactor_shared_runs SET reporter = 'gone', reporter_lease = clock_timestamp() + interval '0.2 seconds' "
        + "WHERE run = $1", [other.run])
    let heir = try await other.joined("heir")
    #expect(await heir.claim(1) == .flows(["a"]))
    await heir.leave()
  }

  @Test func `a fresh unit that others have passed is found when nothing else is left`() async throws {
    let one = try await joined("1")
    #expect(await one.claim(2) == .flows(["a", "b"]))
    // As if a claim of it had been rolled back.
    _ = try await database.run(
      "UPDATE reactor_claims SET process = NULL, lease = NULL, fence = 0 WHERE run = $1 AND unit = 0", [run])
    #expect(await one.claim(1) == .flows(["c"]))
    #expect(await one.claim(1) == .flows(["a"]))
    await one.leave()
  }

  private func expire(_ member: String) async throws {
    for table in ["reactor_claims", "reactor_processes"] {
      _ = try await database.run(
        "UPDATE \(table) SET lease = clock_timestamp() - interval '1 second' WHERE run = $1 AND process = $2",
        [run, member])
    }
  }

  @Test func `what a process gives back, another one has at once`() async throws {
    let (one, two) = (try await joined("1"), try await joined("2"))
    #expect(await one.claim(3) == .flows(["a", "b", "c"]))
    await one.end(Self.end("b"))
    await one.leave()
    #expect(await two.claim(3) == .flows(["a", "c"]))
    await two.leave()
  }

  @Test func `of a unit that comes back, what has not ended runs, with its ancestors`() async throws {
    let flows: [(id: String, parents: [String])] = [
      ("top", []), ("left", ["top"]), ("right", ["top"]), ("below right", ["right"]),
    ]
    let one = member("1")
    _ = try await one.join(flows, digest: "d")
    #expect(await one.claim(1) == .flows(["top", "left", "right", "below right"]))
    for flow in ["top", "left", "right"] { await one.end(Self.end(flow)) }
    await one.leave()
    let two = member("2")
    _ = try await two.join(flows, digest: "d")
    #expect(await two.claim(1) == .flows(["top", "right", "below right"]))
    for flow in ["top", "right", "below right"] { await two.end(Self.end(flow)) }
    #expect(await two.claim(1) == .over)
    await two.leave()
    #expect(try await record().ends.count == 4)
  }

  @Test func `a unit of which all flows have ended is ended, although its last process died`() async throws {
    let flows: [(id: String, parents: [String])] = [("top", []), ("below", ["top"])]
    for (name, claim, end) in [
      ("1", FlowClaim.flows(["top", "below"]), "top"), ("2", .flows(["top", "below"]), "below"), ("3", .over, ""),
    ] {
      let member = member(name)
      _ = try await member.join(flows, digest: "d")
      #expect(await member.claim(1) == claim)
      await member.end(Self.end(end))
      await member.leave()
    }
    #expect(try await record().isEnded)
  }

  @Test func `what has ended of a unit that is given up has ended`() async throws {
    let flows: [(id: String, parents: [String])] = [("top", []), ("left", ["top"]), ("right", ["top"])]
    let one = member("1")
    _ = try await one.join(flows, digest: "d")
    #expect(await one.claim(1) == .flows(["top", "left", "right"]))
    await one.end(Self.end("top"))
    await one.end(Self.end("left"))
    await one.giveUp("right")
    #expect(await one.lost == ["right"])
    #expect(try await record().ends.map(\.flow).sorted() == ["left", "top"])
    // Another process has it at once.
    let two = try await joinedFamily(flows)
    #expect(await two.claim(1) == .flows(["top", "right"]))
    // A change that is read late does not make a lost flow one of this process.
    await one.begin("right")
    #expect(await one.lost == ["right"])
    for member in [one, two] { await member.leave() }
  }

  private func joinedFamily(_ flows: [(id: String, parents: [String])]) async throws -> SharedRun {
    let member = member("2")
    _ = try await member.join(flows, digest: "d")
    return member
  }

  @Test func `all processes of a run have one present`() async throws {
    #expect(try await member("1").present(1000) == 1000)
    #expect(try await member("2").present(2000) == 1000)
  }

  @Test func `a process with other flows may not take part`() async throws {
    let one = try await joined("1")
    let other = member("2")
    await #expect(throws: StateError.self) { _ = try await other.join([("a", [])], digest: "other") }
    await one.leave()
  }

  @Test func `a load of a process that has lost its flow stores nothing`() async throws {
    let stopped = try await joined("1", ["a"])
    #expect(await stopped.claim(1) == .flows(["a"]))
    let condition = try #require(await stopped.condition("a", at: database.url))
    #expect(await stopped.condition("a", at: "postgresql:///elsewhere") == nil)
    #expect(try await holds(condition))
    try await expire("1")
    // An expired lease alone takes nothing away: nobody else can have published.
    #expect(try await holds(condition))
    let other = try await joined("2", ["a"])
    #expect(await other.claim(1) == .flows(["a"]))
    #expect(try await !holds(condition))
    for member in [stopped, other] { await member.leave() }
  }

  private func holds(_ condition: LoadCondition) async throws -> Bool {
    try await !database.run(condition.query, condition.values).isEmpty
  }
}
