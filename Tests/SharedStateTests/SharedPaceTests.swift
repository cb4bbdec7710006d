import Foundation
import ReactorCore
import SharedState
import Synchronization
import TestSupport
import Testing

/// Limits that hold over several processes, in a real PostgreSQL server.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "shared rates")) ?? true))
struct SharedPaceTests {
  private static let server = Result { try PostgreSQLServer() }
  private static let clock = Stopwatch.continuous

  /// What the tasks of a test have seen.
  private final class Seen: Sendable {
    let starts = Mutex<[Duration]>([])
    let open = Mutex(0)
    let most = Mutex(0)
    let ended = Mutex<[Int: Int]>([:])

    func begin() {
      let now = open.withLock { count in
        count += 1
        return count
      }
      most.withLock { $0 = max($0, now) }
    }

    func end(_ process: Int) {
      open.withLock { $0 -= 1 }
      ended.withLock { $0[process, default: 0] += 1 }
    }
  }

  /// Each test has a host of its own.
  private let host = "http://\(UUID().uuidString):80"

  /// The pace of one process, with a connection of its own.
  private func pace(_ name: String, lease: Double = 60) throws -> any SharedPace {
    var settings = SharedRun.Settings()
    settings.lease = .seconds(lease)
    return SharedRun(
      "pace", in: StateDatabase(url: try Self.server.get().url),
      by: SharedRun.Member(id: "\(name) \(host)", host: "test", pid: 1), settings
    ).pace
  }

  @Test func `the starts of all processes together keep a rate, and use it`() async throws {
    let limit = RatePace.Limit(100, per: .seconds(1))
    let seen = Seen()
    let paces = try (0..<4).map { try pace("\($0)") }
    // The connections are there before the time counts.
    for pace in paces { _ = try await pace.wait(of: "\(host) first", within: limit) }
    let begin = Self.clock.reading()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for pace in paces {
        for _ in 0..<2 {
          group.addTask { [host] in
            while true {
              let wait = try await pace.wait(of: host, within: limit)
              let start = Self.clock.reading() + wait
              guard start - begin < .seconds(2) else { return }
              seen.starts.withLock { $0.append(start) }
              try await Delay.real.wait(wait)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let sorted = seen.starts.withLock { $0.sorted() }
    #expect((196...202).contains(sorted.count), "\(sorted.count) starts in two seconds")
    for (index, start) in sorted.enumerated() {
      let within = sorted[index...].prefix { $0 - start < .milliseconds(980) }.count
      #expect(within <= 100, "\(within) starts in a second")
    }
  }

  @Test func `a start that nobody has used in time is not used later`() async throws {
    let (one, two) = (try pace("1"), try pace("2"))
    let limit = RatePace.Limit(10, per: .seconds(1))
    _ = try await one.wait(of: host, within: limit)
    await Pause.exactly(microseconds: 500_000)
    var late: [Duration] = []
    for pace in [one, two] {
      let wait = try await pace.wait(of: host, within: limit)
      late.append(Self.clock.reading() + wait)
    }
    #expect(late[1] - late[0] >= .milliseconds(50))
  }

  @Test func `a request starts although each response of the database takes long`() async throws {
    let server = try Self.server.get()
    let pace = try pace("slow")
    let limit = RatePace.Limit(1000, per: .seconds(1))
    _ = try await pace.wait(of: host, within: limit)
    try server.sql(
      """
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.06); RETURN NULL; END';
      CREATE TRIGGER slow AFTER INSERT OR UPDATE ON reactor_paces FOR EACH STATEMENT EXECUTE FUNCTION slow();
      """)
    defer { _ = try? server.sql("DROP TRIGGER slow ON reactor_paces; DROP FUNCTION slow()") }
    var waits: [Duration] = []
    for _ in 0..<5 {
      waits.append(try await pace.wait(of: host, within: limit))
      await Pause.exactly(microseconds: 300_000)
    }
    #expect(waits.count == 5)
  }

  @Test(arguments: [(3, 4), (5, 2)])
  func `no more requests are open than the limit, and every process has its turn`(
    _ processes: Int, _ limit: Int
  ) async throws {
    let seen = Seen()
    let end = Self.clock.reading() + .seconds(3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for process in 0..<processes {
        let pace = try pace("\(process)")
        for _ in 0..<4 {
          group.addTask { [host] in
            while Self.clock.reading() < end {
              try await pace.enter(host, atMost: limit)
              seen.begin()
              await Pause.exactly(microseconds: 5_000)
              seen.end(process)
              await pace.leave(host, atMost: limit)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(seen.most.withLock { $0 } <= limit)
    let counts = seen.ended.withLock { $0 }
    #expect(counts.count == processes && counts.values.allSatisfy { $0 >= 3 }, "\(counts)")
  }

  @Test func `one process has all permits when no other wants some`() async throws {
    let pace = try pace("1")
    for _ in 0..<4 { try await pace.enter(host, atMost: 4) }
    let other = try self.pace("2")
    let waiting = Task { [host] in try await other.enter(host, atMost: 4) }
    await Pause.exactly(microseconds: 100_000)
    await pace.leave(host, atMost: 4)
    // The other process wants permits, so half of them are no longer this one's.
    try await waiting.value
  }

  @Test func `the permits of a process that has died are free after its lease`() async throws {
    let (dead, other) = (try pace("1", lease: 0.2), try pace("2"))
    for _ in 0..<2 { try await dead.enter(host, atMost: 2) }
    withExtendedLifetime(dead) {}
    try await other.enter(host, atMost: 2)
  }
}
